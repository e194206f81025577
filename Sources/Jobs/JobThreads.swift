internal import CInterlock
internal import InterlockCore
internal import InterlockWaits

/// Threads for code of the program that may block, which are used again.
///
/// Starting a thread costs tens of times as much as waking one. So a thread whose work has ended sleeps until there is
/// more, and ends when there has been none for `idleTime`.
///
/// # State
/// `lock` guards `idle`, in which the thread that became idle last is the last one, and each thread's `work`. A thread
/// is in `idle` from the end of its work until `run` hands it more, or until it ends.
///
/// # Invariants
/// 1. A thread in `idle` runs no code of the program: it sleeps, or is about to. So no work waits for other work.
/// 2. `run` takes the thread out of `idle`, stores the work and announces it in one critical section, and a thread ends
///    only if it is in `idle` itself. So each work that is handed over runs once.
/// 3. Idle threads are not held by what they ran: `work` is `nil` then.
///
/// # Signals
/// A thread is used again only by callers with the signal mask of the one that started it. It gets its mask when it
/// starts, by `PlatformThread`, and before it becomes idle, because the work may have changed it.
///
/// # Forks
/// A child made by `fork` has none of the threads, so it forgets them. The lock must be free at the fork, as all locks.
final class JobThreads: @unchecked Sendable {
  // `@unchecked Sendable` is sound: `lock` guards the variables.

  private final class Thread: @unchecked Sendable {
    // `@unchecked Sendable` is sound: the lock of `JobThreads` guards `work`.
    /// The signal mask of the thread that has started this one.
    let signals: UInt64
    var work: Work?
    /// 1 from the hand-over of work until the thread has taken it.
    let hasWork = LockWord()

    init(_ work: @escaping Work, _ signals: UInt64) {
      self.work = work
      self.signals = signals
    }
  }

  typealias Work = @Sendable () -> Void

  static let shared = JobThreads()

  private let lock = CoreLock()
  private var idle: [Thread] = []
  private var forks: UInt32
  private let idleTime: Duration
  private let start: @Sendable (@escaping Work) -> Bool

  /// - Parameters:
  ///   - idleTime: How long a thread waits for work before it ends; as that of `DeadlineTimer`.
  ///   - start: Starts a thread; returns whether the system has made one.
  init(
    idleTime: Duration = .seconds(1),
    start: @escaping @Sendable (@escaping Work) -> Bool = PlatformThread.startDetached
  ) {
    self.idleTime = idleTime
    self.start = start
    // Registers the handler that counts forks.
    _ = ThreadIdentity.current
    forks = interlock_forks()
  }

  /// The number of threads that wait for work.
  var idleCount: Int { lock.withLock { idle.count } }

  /// Runs `work` on an idle thread, or else on a new one; returns whether there is a thread for it.
  func run(_ work: @escaping Work) -> Bool {
    let signals = interlock_signal_mask()
    if let thread = lock.withLock({ takeThread(for: work, signals) }) {
      thread.hasWork.wake(count: 1)
      return true
    }
    let thread = Thread(work, signals)
    return start { self.live(as: thread) }
  }

  private func takeThread(for work: @escaping Work, _ signals: UInt64) -> Thread? {
    if forks != interlock_forks() {
      forks = interlock_forks()
      idle = []
    }
    guard let index = idle.lastIndex(where: { $0.signals == signals }) else { return nil }
    let thread = idle.remove(at: index)
    thread.work = work
    _ = thread.hasWork.exchangeReleasing(1)
    return thread
  }

  private func live(as thread: Thread) {
    let signals = interlock_signal_mask()
    repeat {
      lock.withLock { thread.work.take() }!()
      interlock_set_signal_mask(signals)
    } while waitForWork(thread)
  }

  private func waitForWork(_ thread: Thread) -> Bool {
    lock.withLock { idle.append(thread) }
    let end = Deadline(after: idleTime)
    while thread.hasWork.loadAcquiring() == 0 {
      guard thread.hasWork.wait(while: 0, until: end) == .timedOut else { continue }
      // If the thread is not idle any more, it has work.
      let isOver = lock.withLock {
        guard let index = idle.firstIndex(where: { $0 === thread }) else { return false }
        idle.remove(at: index)
        return true
      }
      if isOver { return false }
    }
    thread.hasWork.storeRelaxed(0)
    return true
  }
}
