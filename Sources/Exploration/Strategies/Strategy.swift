#if Exploration
  /// The objects that an operation touches.
  ///
  /// The order of two threads' operations makes no difference unless their footprints depend on each other.
  /// Objects are numbered in the order of their first uses, so executions that begin alike have the same
  /// numbers.
  struct Footprint: Hashable {
    var object = 0
    var writes = false
    var other = 0
    var writesOther = false
    /// Whether the step belongs to an execution with tasks, in which all steps depend on one another.
    var isOfTasks = false
    /// Whether the step reads what any step of another thread may change, such as a weak reference.
    var dependsOnAll = false
    /// Whether the step acquires a lock for which its thread has waited.
    var waits = false
    /// Whether the step changes a word that was 0, so a lock that was free.
    var findsFree = false

    static let local = Footprint()

    func dependsOn(_ footprint: Footprint) -> Bool {
      func clash(_ a: Int, _ aWrites: Bool, _ b: Int, _ bWrites: Bool) -> Bool {
        a != 0 && a == b && (aWrites || bWrites)
      }
      return isOfTasks || footprint.isOfTasks || dependsOnAll || footprint.dependsOnAll
        || clash(object, writes, footprint.object, footprint.writes)
        || clash(object, writes, footprint.other, footprint.writesOther)
        || clash(other, writesOther, footprint.object, footprint.writes)
        || clash(other, writesOther, footprint.other, footprint.writesOther)
    }
  }

  /// A moment at which a strategy chooses the thread that makes the next step.
  struct SchedulingPoint {
    /// The number of steps that the execution has made.
    let step: Int
    /// The threads that can make a step, in ascending order; never empty.
    let enabled: [Int]
    /// The thread that made the last step.
    let current: Int
    /// Whether the thread that made the last step gives up its turn: it sleeps with a deadline, may wake up
    /// spuriously, spins, or is at a point where its task may be suspended.
    let isCurrentWaiting: Bool
    // Computes the properties below on demand: most steps repeat the execution before, and need neither.
    let scheduler: Scheduler

    /// The footprint of the next step of each thread.
    var next: [Footprint] { scheduler.threads.map(scheduler.footprint) }
    /// Whether some thread cannot go on until another thread has changed a word, whichever word it is.
    var hasWaiter: Bool { scheduler.hasWaiter }

    /// Whether choosing another thread than `current` is a preemption.
    ///
    /// A switch from `current` is a preemption if `current` could go on. A thread that sleeps or spins gives
    /// up its turn, so a switch from it is no preemption, even if its sleep could time out immediately.
    var canPreempt: Bool { !isCurrentWaiting && enabled.contains(current) }
  }

  /// Chooses the schedules of one execution after another.
  protocol Strategy {
    /// Begins another execution; `false` when there is nothing left to try.
    mutating func begin() -> Bool

    /// Chooses the thread that makes the next step; `nil` if all continuations of this execution were tried
    /// before or belong to another part.
    mutating func chooseThread(_ point: SchedulingPoint) -> Int?

    /// Chooses one of `count` ways in which a step can go on.
    ///
    /// The result is an index from 0. For a load, it selects the value to return, and 0 is the latest one.
    /// For a wake-up, it selects the sleeping thread to wake. For the end of a sleep, it selects the outcome.
    mutating func chooseValue(count: Int) -> Int

    /// Records the number, the thread and the footprint of the step that begins.
    ///
    /// The scheduler must call this method for each step of an execution that the strategy follows.
    mutating func didStep(_ step: Int, thread: Int, _ footprint: Footprint)

    /// Records that everything that `other` has done happens before the next step of `thread`.
    ///
    /// The scheduler must call this method when `other` has started or woken `thread`, has enqueued a job for
    /// it, or has ended and was joined by it.
    mutating func didSynchronize(_ thread: Int, with other: Int)

    /// Records that `step`, made by another thread, has ended a wait of `thread` that could also have timed
    /// out or ended spuriously.
    ///
    /// The strategy can then try a schedule in which the wait ends by itself. The scheduler must call this
    /// method for each such step.
    mutating func didPreventTimeout(_ thread: Int, in step: Int)

    /// Whether every schedule was tried when `begin` returned `false`.
    var isExhaustive: Bool { get }

    /// The greatest number of preemptions up to which every schedule was tried; `nil` if there is none.
    var triedPreemptions: Int? { get }
  }

  extension Strategy {
    mutating func didStep(_ step: Int, thread: Int, _ footprint: Footprint) {}
    mutating func didSynchronize(_ thread: Int, with other: Int) {}
    mutating func didPreventTimeout(_ thread: Int, in step: Int) {}
    var isExhaustive: Bool { false }
    var triedPreemptions: Int? { nil }
  }
#endif
