internal import Dispatch
internal import InterlockCore

/// The thread that frees the values which snapshots have replaced: it calls `Reclamation.scan()`, 20 ms apart.
///
/// # Why
/// A thread of the pool of tasks or of a dispatch queue runs late, or never, while the program computes on all
/// of them: two tasks that published for two seconds once kept 2 GB. The system's scheduler lets a thread that
/// has slept run soon. The thread exists while values are replaced, and ends a second after the last one.
///
/// # State
/// - `thread`: 0 while there is no thread; otherwise the thread's `ThreadIdentity`, or `starting`.
/// - `news`: an event count, which a publisher increments when it finds `Reclamation` idle. The thread sleeps on
///   it while nothing is retired.
/// - `freedUntil`: the coarse time of the last S1 all of whose boxes were freed or found in slots.
///
/// # No value is forgotten
/// A publisher retires (P2), then reads `thread`. The thread that ends stores 0 in `thread`, then checks whether
/// something is retired, all sequentially consistent. So either the publisher finds no thread, and starts one, or
/// the thread finds the retired value, and continues. While the system refuses a thread, threads of libdispatch scan in
/// its place, one after another.
///
/// # The bound
/// A value is freed within 40 ms and the time that freeing takes, unless it is being read. If the values of 60 ms
/// ago are not freed yet, each publication first sleeps for a millisecond. So the values that are alive but not
/// current are at most those of 60 ms, some more for each publishing thread, and one for each slot in use. A
/// publisher does not wait for the freeing to end: it may hold a lock that a `deinit` needs.
enum Reclaimer {
  private static let thread = LockWord()
  private static let news = LockWord()
  private static let freedUntil = AtomicWord()
  /// A word that never changes, on which publishers sleep.
  private static let pause = LockWord()

  private static var starting: UInt32 { .max }
  /// The time between two scans, which limits the process to 50 barriers in a second.
  private static var interval: Duration { .milliseconds(20) }
  /// How long the thread waits for another publication before it ends.
  private static var idleTime: Duration { .seconds(1) }
  /// The age of an unfreed value at which publishers slow down.
  private static var lateNanoseconds: UInt64 { 60_000_000 }

  // MARK: Publishers

  /// Whether there is no thread: before the first call of `wake`, and in a child made by `fork`.
  static var isMissing: Bool { thread.loadSequentiallyConsistent() == 0 }

  /// Makes the thread scan soon.
  ///
  /// The caller must have retired a value.
  static func wake() {
    freedUntil.store(Deadline.coarseNow, .relaxed)
    let (isStarter, _) = thread.compareExchangeSequentiallyConsistent(expected: 0, desired: starting)
    if isStarter {
      HazardRegistry.prepare()
      start()
    } else {
      news.addReleasing(1)
      news.wake(count: 1)
    }
  }

  /// Sleeps for a millisecond if the thread is late with freeing.
  static func waitIfLate() {
    let isLate = Deadline.coarseNow > freedUntil.load(.relaxed) &+ lateNanoseconds
    if isLate, thread.loadRelaxed() != ThreadIdentity.current {
      // The publisher that had to wake the thread may not have done so yet.
      news.addReleasing(1)
      news.wake(count: 1)
      pause.wait(while: 0, until: Deadline(after: .milliseconds(1)))
    }
  }

  // MARK: The thread

  /// Initializes each global that the thread uses, so that the thread initializes none.
  ///
  /// In a child made by `fork` meanwhile, an initialization that the thread had begun would never end.
  static func initializeGlobals() {
    _ = (thread.loadRelaxed(), news.loadRelaxed(), freedUntil.load(.relaxed), pause.loadRelaxed())
    _ = Processors.count
    Reclamation.initializeGlobals()
  }

  /// Starts the thread.
  ///
  /// Tasks need the threads of libdispatch, too. So each of these scans once, and then tries to start the thread again.
  private static func start() {
    if PlatformThread.startService({ run() }) { return }
    DispatchQueue.global().async {
      _ = thread.exchangeSequentiallyConsistent(ThreadIdentity.current)
      guard scan() || isNeededAgain(within: .zero) else { return }
      _ = thread.exchangeSequentiallyConsistent(starting)
      start()
    }
  }

  private static func run() {
    _ = thread.exchangeSequentiallyConsistent(ThreadIdentity.current)
    repeat {
      while scan() {}
    } while isNeededAgain(within: idleTime)
  }

  /// Scans after an interval; returns whether another scan is due.
  private static func scan() -> Bool {
    sleep()
    let began = Deadline.coarseNow
    let isDue = Reclamation.scan()
    freedUntil.store(began, .relaxed)
    return isDue
  }

  private static func sleep() {
    let end = Deadline(after: interval)
    // A signal ends a wait early.
    while !end.hasPassed { pause.wait(while: 0, until: end) }
  }

  /// Waits for a publication; returns whether the thread must scan again, and must not end.
  private static func isNeededAgain(within time: Duration) -> Bool {
    let end = Deadline(after: time)
    while Reclamation.isIdle, !end.hasPassed {
      let seen = news.loadAcquiring()
      if Reclamation.isIdle { news.wait(while: seen, until: end) }
    }
    if !Reclamation.isIdle { return true }
    _ = thread.exchangeSequentiallyConsistent(0)
    guard !Reclamation.isIdle else { return false }
    return thread.compareExchangeSequentiallyConsistent(
      expected: 0, desired: ThreadIdentity.current
    ).exchanged
  }

  // MARK: Fork

  /// Forgets the thread, which does not exist in a child made by `fork`, unless it is the one that forked.
  ///
  /// - Returns: Whether the calling thread is the reclaimer.
  static func continuesInChild() -> Bool {
    if thread.loadRelaxed() == ThreadIdentity.current { return true }
    _ = thread.exchangeSequentiallyConsistent(0)
    return false
  }
}
