internal import PlatformLocks

/// A read/write lock of eight bytes that prefers writers and lets neither side starve.
///
/// - **Fairness**: a waiting writer keeps new readers out, so readers that overlap without end can't hold a writer up.
///   Threads that arrive when the lock is free take it, also when others have waited for longer (barging). Neither side
///   starves: among writers that follow one another without a gap, waiting readers get every fourth hand-over at the
///   latest, and a thread that was woken and found the lock taken by the other side has the next turn of its side.
/// - **Blocking**: waiting threads spin for a few microseconds, then sleep in the kernel.
/// - **Recursion**: a write section inside a section of the same lock and thread, or a read section inside a write
///   section, traps where the lock can tell, which is when the thread is the writer. Reading inside a read section is
///   not detected and deadlocks when a writer arrives in between: don't nest.
/// - **Deadlocks it permits**: a read section in which the same thread asks for the write lock (readers are counted,
///   not known); a nested read section with a writer waiting; two locks in opposite orders.
/// - **Misuse that traps**: destroying the lock while it is held; more than 67 million readers at once.
/// - **Size**: 8 bytes, inline.
public struct CompactReadWriteLock: ~Copyable, Sendable {
  @usableFromInline
  let core: CompactReadWriteCore

  /// Makes a lock that is free.
  @inlinable
  public init() {
    core = CompactReadWriteCore()
  }

  @inlinable
  deinit {
    core.checkFree(for: .compact)
  }
}

extension CompactReadWriteLock: TimedReadWriteLock {
  /// The promise that `ReadWriteLock` asks for.
  @unsafe public static func unsafePromiseOfExclusion() {
    // Kept by invariant 1 of `CompactReadWriteCore`.
  }

  /// Runs `body` while no thread writes; other readers may run at the same time.
  ///
  /// It waits while a writer holds the lock or waits for it, and traps when the calling thread is that writer.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; the lock is released first.
  /// - Complexity: O(1) without contention: a load and two atomic read-modify-writes.
  @inlinable
  public borrowing func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    core.lockForReading(for: .compact)
    defer { core.unlockAfterReading() }
    return try body()
  }

  /// Runs `body` while no other thread reads or writes.
  ///
  /// It waits while another thread holds the lock, and traps when the calling thread holds it for writing.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; the lock is released first.
  /// - Complexity: O(1) without contention: two atomic read-modify-writes.
  @inlinable
  public borrowing func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    core.lockForWriting(for: .compact)
    defer { core.unlockAfterWriting() }
    return try body()
  }

  /// Runs `body` in a read section, if one can be entered within `timeout`.
  ///
  /// See `TimedReadWriteLock` for the timeout and the result.
  @inlinable
  public borrowing func withReadLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard lockForReading(timeout: timeout) else { return nil }
    defer { core.unlockAfterReading() }
    return try body()
  }

  /// Runs `body` in the write section, if it can be entered within `timeout`.
  ///
  /// See `TimedReadWriteLock` for the timeout and the result.
  @inlinable
  public borrowing func withWriteLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard lockForWriting(timeout: timeout) else { return nil }
    defer { core.unlockAfterWriting() }
    return try body()
  }

  @usableFromInline
  borrowing func lockForReading(timeout: Duration) -> Bool {
    let timeout = Timeout(timeout, for: "CompactReadWriteLock")
    return core.tryLockForReading()
      || (!timeout.isZero && core.lockForReadingSlow(until: timeout.deadlineFromNow(), for: .compact))
  }

  @usableFromInline
  borrowing func lockForWriting(timeout: Duration) -> Bool {
    let timeout = Timeout(timeout, for: "CompactReadWriteLock")
    return core.tryLockForWriting()
      || (!timeout.isZero && core.lockForWritingSlow(until: timeout.deadlineFromNow(), for: .compact))
  }
}
