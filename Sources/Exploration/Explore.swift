#if Exploration
  internal import CExploration
  internal import InterlockCore

  /// How the schedules of an exploration are chosen.
  public enum ExplorationStrategy: Sendable {
    /// Tries few preemptions first, then more, beside random priorities and every schedule.
    ///
    /// Three searches take turns, and no choice between them is needed: one with 300 random executions, and then
    /// every schedule with no preemption, with at most one, and so on; one without a bound, as `exhaustive()`; and one
    /// as `priorities`. The exploration ends when every schedule was tried, or at a limit.
    case automatic
    /// Runs every schedule, but skips schedules that differ from an earlier one only in the order of
    /// independent steps.
    ///
    /// With a bound, the search first runs 300 random executions, and then every schedule with no preemption,
    /// with at most one, and so on up to the bound. It skips fewer schedules than a search without a bound,
    /// and can therefore need more executions.
    ///
    /// A preemption is a switch to another thread while the current thread could go on. A thread that sleeps
    /// or spins gives up its turn, so a switch from it is not a preemption, even if its sleep has a deadline.
    /// Letting a sleep time out while the current thread could go on counts as a preemption.
    ///
    /// - Parameter preemptions: The greatest number of preemptions in an execution; `nil` sets no bound. Most
    ///   bugs need one or two.
    case exhaustive(preemptions: Int? = nil)
    /// Runs the given number of executions, choosing the thread of each step and the values of loads at
    /// random.
    case random(executions: Int, seed: UInt64 = 1)
    /// Runs the given number of executions, each with random priorities that change `depth` − 1 times.
    ///
    /// The thread with the highest priority runs. Suppose that a bug needs *depth* ordering constraints. With
    /// *n* threads and *k* steps, each execution finds the bug with a probability of at least 1 / (*n* ·
    /// *k*^(*depth* − 1)).
    case priorities(executions: Int, depth: Int = 3, seed: UInt64 = 1)
    /// Runs a failed execution again, given the `replay` text of its `ExplorationFailure`.
    ///
    /// If the code has changed since, the schedule may no longer fit. The execution then goes on with other
    /// choices, so a replay without a failure does not show that the code is right.
    case replay(String)
  }

  /// The limits of an exploration: how long it may last, and which behaviors of threads and memory it tries.
  public struct ExplorationLimits: Sendable {
    package var executions: Int
    package var steps: Int
    package var duration: Duration
    package var spuriousWakeUps: Int
    package var oldReads: Int
    package var poolThreads: Int
    package var namesLines: Bool
    package var acceptsUnfinishedSearch: Bool
    /// Whether threads contend for exclusive locks step by step, which the explorations of the lock itself need
    /// (see `ExhaustiveStrategy`).
    package var dividesLocks = false
    /// Whether threads run as on a system without `ProcessBarrier`.
    package var hidesProcessBarrier = false
    /// Whether tables are as large as for 64 processors, because lines are counted.
    package var usesWholeTables = false
    /// The time without a step after which an execution counts as blocked.
    package var longestStep = Duration.seconds(60)

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - executions: The greatest number of executions.
    ///   - steps: The greatest number of steps in one execution. An execution with more steps fails.
    ///   - duration: The longest duration of the exploration, checked between executions.
    ///   - spuriousWakeUps: The maximum number of spurious wake-ups of each thread in an execution. The system may wake
    ///     a thread for no reason, so each kind of wait must check again after a wake-up. They multiply the number of
    ///     executions; an exploration without them finds most bugs.
    ///   - oldReads: The maximum number of outdated values that each thread may read from each word. One suffices if each
    ///     wait ends when another thread stores a value. Lock-free code can need more: a thread that has seen a later
    ///     store may still read an old value of another word several times. Reads of old values multiply the number of
    ///     executions.
    ///   - poolThreads: The number of threads in the pool on which tasks run. A task that blocks its thread, for instance
    ///     in a lock, keeps that thread from other tasks. With a small number, an exploration finds tasks that block all
    ///     threads of the pool and wait for another task.
    ///   - namesLines: Whether a failure names the source lines of its steps. In a large program, finding the lines
    ///     takes seconds.
    ///   - acceptsUnfinishedSearch: Whether an exploration that a limit ends has passed if it has found nothing.
    ///     Otherwise it fails, because schedules are left that its strategy would have tried.
    public init(
      executions: Int = .max, steps: Int = 10_000, duration: Duration = .seconds(60),
      spuriousWakeUps: Int = 0, oldReads: Int = 1, poolThreads: Int = .max, namesLines: Bool = true,
      acceptsUnfinishedSearch: Bool = false
    ) {
      self.executions = executions
      self.steps = steps
      self.duration = duration
      self.spuriousWakeUps = spuriousWakeUps
      self.oldReads = oldReads
      self.poolThreads = poolThreads
      self.namesLines = namesLines
      self.acceptsUnfinishedSearch = acceptsUnfinishedSearch
    }
  }

  /// The result of an exploration that has found no failure.
  public struct ExplorationSummary: Sendable, CustomStringConvertible {
    /// The number of times that the body ran.
    public let executions: Int
    /// The number of executions that proved redundant, because they were equivalent to earlier ones.
    ///
    /// If `INTERLOCK_EXPLORE_PART` divides the exploration, executions of other parts count as well. `executions`
    /// includes all of these.
    package let redundantExecutions: Int
    /// The number of steps of the longest execution.
    package let longestExecution: Int
    /// The time that the exploration took.
    public let duration: Duration
    /// Whether every schedule was tried; in a process that explores one part, every schedule of that part.
    ///
    /// With a bound on preemptions, only the schedules within the bound count. `false` if a limit ended the
    /// search, or if the strategy tries only some schedules. See also `hasUndividedSteps`.
    ///
    /// The body's own choices, such as random numbers, are no part of a schedule, and are not explored. One in the
    /// last step of a thread even goes unnoticed, because no later step differs.
    public let isExhaustive: Bool
    /// Whether the limit `oldReads` has kept a load from returning an old value.
    ///
    /// If so, outcomes that need more reads of old values were not tried.
    package let limitedOldReads: Bool
    /// Whether one of the `ExplorationLimits` ended the search before the strategy had tried all its
    /// schedules, which their `acceptsUnfinishedSearch` permits.
    public let reachedLimit: Bool
    /// Whether other threads were kept from running between the steps of a cancellation handler, or perhaps
    /// between two calls of one actor, or between releases of objects that weak or unowned references refer to.
    ///
    /// The compiler leaves out the suspension points between two such calls of one task if no other call is
    /// between them, but needn't. The explorer can't know that. A release is no step, but reading such a reference is
    /// one. In all three cases the search is not exhaustive.
    public var hasUndividedSteps: Bool { hasUndividedHandlers || callsActors || readsReferences }
    let hasUndividedHandlers: Bool
    /// Whether a task has called an actor, perhaps twice in one step.
    let callsActors: Bool
    /// Whether a thread has read a reference that does not keep its object alive.
    let readsReferences: Bool
    /// The part of the schedules that this process has tried (see `explore`).
    let part: ExplorationPart

    /// The result in one line.
    public var description: String {
      let seconds = duration / .seconds(1)
      let rate = Int(Double(executions) / max(seconds, 0.000_001))
      return
        "\(executions.executions) (\(redundantExecutions) redundant), at most \(longestExecution) steps, "
        + "\(duration.formattedSeconds) s, \(rate) executions/s, "
        + (isExhaustive ? "exhaustive if the body makes no random choices" : "not exhaustive")
        + (reachedLimit ? ": stopped at a limit" : "") + (limitedOldReads ? ", old reads limited" : "")
        + (hasUndividedHandlers ? ": handlers of cancellations were not divided" : "")
        + (callsActors ? ": calls of one actor in a row may be one step" : "")
        + (readsReferences ? ": releases of objects were not divided" : "")
        + (part.count > 1 ? ", part \(part.number) of \(part.count)" : "")
    }
  }

  extension Int {
    /// So many executions, in words.
    var executions: String { self == 1 ? "1 execution" : "\(self) executions" }
  }

  extension Duration {
    fileprivate var formattedSeconds: String {
      let milliseconds = Int(self / .milliseconds(1))
      let fraction = String(milliseconds % 1000)
      return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
  }

  /// Runs `body` repeatedly, each time with another schedule of its threads and tasks.
  ///
  /// The exploration ends when all schedules were tried, when an execution fails, or at a limit, by default after
  /// 60 seconds. At a limit it fails unless its limits have `acceptsUnfinishedSearch`.
  ///
  /// ```swift
  /// try explore { run in
  ///   let cell = OnceCell<Int>()
  ///   let one = run.thread { cell.value { 1 } }
  ///   let two = run.thread { cell.value { 2 } }
  ///   run.expect(one.join() == two.join(), "both threads see one value")
  /// }
  /// ```
  ///
  /// A loop in the body that polls a value must call `spinLoopHint()` of `AtomicProperties`.
  ///
  /// The threads are real, and one of them runs at a time. At each operation of a primitive of this package,
  /// the exploration decides which thread goes on, and which of the values that the memory model permits a
  /// load returns. It finds deadlocks, lost wake-ups, threads that spin forever, traps of this package,
  /// races on an `ExploredCell`, expectations that don't hold, and objects that are not freed. It fails too if
  /// its threads share no primitive of this package and no `ExploredCell`, because it would find nothing. This
  /// does not apply to explorations with tasks.
  ///
  /// Each run of the body must create everything that its threads share. The threads may synchronize only by
  /// primitives of this package, and by tasks of `Execution.task`. Other waits (for a semaphore, a queue, the
  /// file system) block the exploration, which fails after a minute without a step. The same choices must
  /// lead to the same steps, so the body must not use a clock or random numbers.
  ///
  /// Several processes can share the work, if each has another value of the environment variable
  /// `INTERLOCK_EXPLORE_PART`: with `1/2` and `2/2`, each of two processes tries about half of the schedules.
  ///
  /// - **Blocking**: a call waits while another thread explores, and returns when its own exploration has
  ///   ended. A failed execution may leave threads behind that wait forever. On Linux the calling thread and
  ///   those of the exploration stay on one processor meanwhile.
  /// - **Not modeled**: load buffering, a store that comes before an already executed store in the
  ///   modification order of the word, and an order of sequentially consistent operations that contradicts
  ///   relaxed loads. A compare-exchange that fails reads the latest value, never an old one. A thread reads
  ///   an old value of each word at most `oldReads` times, a limit. A thread wakes up spuriously at
  ///   most `spuriousWakeUps` times, another one. After a thread's sleep on a word has timed out, its next
  ///   sleep there can time out only when another thread has changed a word, or when no thread can go on.
  ///   `isKnownUniquelyReferenced` is no step, and a search does not try what a release between its steps changes there.
  ///   `PosixReadWriteLock`, `DispatchReadWriteLock` and `QueueProperty` synchronize by the system's own
  ///   means, which are not explored.
  ///
  /// - Parameters:
  ///   - strategy: How schedules are chosen.
  ///   - limits: The limits that end the exploration even if it has found nothing.
  ///   - body: The code to explore. It starts further threads with `Execution.thread(_:)`.
  /// - Returns: A summary of the executions.
  /// - Throws: An `ExplorationFailure` with the shortest failing execution found, or without one if a limit ended
  ///   the search. An error that `body` throws also fails its execution.
  /// - Complexity: Exponential in the number of steps that depend on each other.
  @discardableResult
  public func explore(
    _ strategy: ExplorationStrategy = .automatic, limits: ExplorationLimits = ExplorationLimits(),
    _ body: @escaping @Sendable (Execution) throws -> Void
  ) throws(ExplorationFailure) -> ExplorationSummary {
    let made = strategy.make(.current)
    // Only a whole search fails if its threads share nothing. A replay, or one part of a search, may lack the
    // executions in which threads share an object.
    let mustShare = ExplorationPart.current.count == 1 && !(made is ReplayStrategy)
    return try explore(by: made, limits: limits, part: .current, mustShare: mustShare, body)
  }

  /// Runs `body` under the schedules that `strategy` chooses.
  ///
  /// With `mustShare`, the exploration fails if there is no execution in which two threads used the same word,
  /// queue or cell. It does not fail for this reason if some execution had tasks, or had no thread but the
  /// body's.
  func explore(
    by strategy: any Strategy, limits: ExplorationLimits = ExplorationLimits(),
    part: ExplorationPart = .whole, mustShare: Bool = false,
    _ body: @escaping @Sendable (Execution) throws -> Void
  ) throws(ExplorationFailure) -> ExplorationSummary {
    // Only one exploration runs at a time, because executions use state that the whole process shares.
    isExploring.enter(when: { !$0 }) { $0 = true }
    defer { isExploring.enter { $0 = false } }
    // Keeps all threads of the exploration on one processor. One of them runs at a time, and waking a thread
    // on the same processor is faster than waking an idle processor. The pool's threads inherit the setting.
    let processors = interlock_stay_on_processor()
    defer { interlock_set_processors(processors) }
    interlock_catch_traps {
      ExploredThreads.current?.trap("the code under test trapped, with a message above")
    }
    defer { interlock_stop_catching_traps() }
    // Installs the task hooks now, so that tasks made before the first call of `run.task` are explored as
    // well.
    _ = ExecutionThread.exploresTasks
    let exploration = Exploration(limits: limits, body)
    return try exploration.run(strategy, part, mustShare: mustShare)
  }

  private let isExploring = Monitor(false)

  /// Runs executions, and looks for a simpler failing execution after a failure.
  private final class Exploration {
    private let limits: ExplorationLimits
    private let body: @Sendable (Execution) throws -> Void
    private var pool = ThreadPool()

    init(limits: ExplorationLimits, _ body: @escaping @Sendable (Execution) throws -> Void) {
      self.limits = limits
      self.body = body
    }

    deinit { pool.end() }

    func run(
      _ strategy: any Strategy, _ part: ExplorationPart, mustShare: Bool
    ) throws(ExplorationFailure) -> ExplorationSummary {
      let search = Search(strategy, limits, part)
      guard var shortest = search.run(execute) else {
        if mustShare, let last = search.lastWithoutSharing {
          last.fail(.nothingShared)
          throw ExplorationFailure(last, executions: search.summary.executions, isReproduced: true)
        }
        let summary = search.summary
        if summary.reachedLimit, !limits.acceptsUnfinishedSearch {
          throw ExplorationFailure(unfinished: summary, triedPreemptions: search.triedPreemptions)
        }
        return summary
      }
      if strategy is ReplayStrategy || shortest.failure == .blocked {
        // A replay is reported as it is, without a search for a shorter execution. So is a blocked one: each
        // repetition blocks again until the scheduler gives up.
      } else if let shorter = findShorter() {
        shortest = shorter
      }
      // Runs the failed execution once more, to record the stack of each step.
      var replay: any Strategy = ReplayStrategy(shortest.choices)
      _ = replay.begin()
      let replayed = execute(replay, limits, isForReport: true)
      let isSame = replayed.failure != nil
      throw ExplorationFailure(
        isSame ? replayed : shortest, executions: search.summary.executions, isReproduced: isSame)
    }

    /// Looks for a failing execution with no preemption, then with at most one, then with at most two; `nil`
    /// if it finds none.
    ///
    /// The fewer preemptions an execution has, the easier it is to follow. Each of the three searches has its
    /// own limits: 5,000 executions and 3 seconds.
    private func findShorter() -> Scheduler? {
      var limits = limits
      limits.executions = 5_000
      limits.duration = .seconds(3)
      for bound in 0...2 {
        if let failed = Search(ExhaustiveStrategy(preemptions: bound), limits, .whole).run(execute) {
          return failed
        }
      }
      return nil
    }

    private func execute(
      _ strategy: any Strategy, _ limits: ExplorationLimits, isForReport: Bool
    ) -> Scheduler {
      ExploredState.reset()
      let scheduler = Scheduler(strategy, on: pool, limits: limits, isForReport: isForReport)
      let body = body
      scheduler.run {
        let execution = Execution(scheduler)
        do {
          try body(execution)
        } catch {
          execution.expect(false, "the body threw \(error)")
        }
      }
      // The threads of an abandoned execution wait forever, so the next execution gets a new pool.
      if scheduler.isAbandoned { pool = ThreadPool() }
      return scheduler
    }
  }

  /// Runs executions by one strategy, until one fails, a limit is reached, or none is left to try.
  private final class Search {
    private var strategy: any Strategy
    private let limits: ExplorationLimits
    private let part: ExplorationPart
    private var executions = 0
    private var redundant = 0
    private var longest = 0
    private var reachedLimit = false
    private var limitedOldReads = false
    private var hasUndividedHandlers = false
    private var callsActors = false
    private var readsReferences = false
    /// The last execution, if no two threads have used the same object in any execution; `nil` otherwise.
    ///
    /// It is also `nil` if an execution had only the body's thread, or had tasks. The order of tasks matters
    /// even if they share no object that the explorer sees.
    private(set) var lastWithoutSharing: Scheduler?
    private var sharesSomething = false
    private let start = ContinuousClock.now

    init(_ strategy: any Strategy, _ limits: ExplorationLimits, _ part: ExplorationPart) {
      self.strategy = strategy
      self.limits = limits
      self.part = part
    }

    var triedPreemptions: Int? { strategy.triedPreemptions }

    var summary: ExplorationSummary {
      ExplorationSummary(
        executions: executions, redundantExecutions: redundant, longestExecution: longest,
        duration: ContinuousClock.now - start,
        isExhaustive: strategy.isExhaustive && !hasUndividedHandlers && !callsActors && !readsReferences,
        limitedOldReads: limitedOldReads, reachedLimit: reachedLimit,
        hasUndividedHandlers: hasUndividedHandlers, callsActors: callsActors,
        readsReferences: readsReferences, part: part)
    }

    func run(_ execute: (any Strategy, ExplorationLimits, Bool) -> Scheduler) -> Scheduler? {
      while strategy.begin() {
        let scheduler = execute(strategy, limits, false)
        strategy = scheduler.strategy
        executions += 1
        if scheduler.isRedundant { redundant += 1 }
        if scheduler.hasUndividedSteps { hasUndividedHandlers = true }
        if scheduler.callsActors { callsActors = true }
        if scheduler.readsReferences { readsReferences = true }
        longest = max(longest, scheduler.trace.count)
        if scheduler.memory.hasLimitedOldReads { limitedOldReads = true }
        if scheduler.failure != nil { return scheduler }
        if scheduler.sharesSomething || scheduler.threads.count == 1 || !scheduler.tasks.isEmpty {
          sharesSomething = true
        }
        lastWithoutSharing = sharesSomething ? nil : scheduler
        if executions >= limits.executions || ContinuousClock.now - start > limits.duration {
          reachedLimit = strategy.begin()
          break
        }
      }
      return nil
    }
  }

  extension ExplorationStrategy {
    fileprivate func make(_ part: ExplorationPart) -> any Strategy {
      switch self {
      case .automatic: return AutomaticStrategy(part: part)
      case .exhaustive(nil): return ExhaustiveStrategy(preemptions: nil, part: part)
      case .exhaustive(let preemptions?):
        if preemptions < 0 {
          misuse("explore", "given \(preemptions) preemptions", "pass 0 or more, or nil for no bound")
        }
        return StagedStrategy(preemptions: preemptions, part: part)
      case .random(let executions, let seed):
        return RandomStrategy(executions: executions, seed: seed, part: part)
      case .priorities(let executions, let depth, let seed):
        return PriorityStrategy(executions: executions, depth: depth, seed: seed, part: part)
      case .replay(let text):
        guard let choices = Replay.choices(text) else {
          misuse("explore", "given a replay that none of its failures has", "pass the text of `replay` whole")
        }
        return ReplayStrategy(choices)
      }
    }
  }
#else
  /// Runs `body` under every schedule of its threads.
  ///
  /// Only available with the package trait `Exploration`.
  @available(*, unavailable, message: "enable the trait Exploration of swift-interlock to explore")
  public func explore(_ body: () -> Void) {}
#endif
