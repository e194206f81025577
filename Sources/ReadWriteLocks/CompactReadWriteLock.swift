public import DeadlockDetector
public import LockSupport

/// A read/write lock of eight bytes that prefers writers and lets neither side starve.
///
/// - **Fairness**: a waiting writer keeps new readers out, so overlapping readers can't starve a writer. A
///   thread that arrives while the lock is free can acquire it, even if others have waited for longer
///   (barging). Neither readers nor writers starve as a side. While writers follow one another without a
///   gap, waiting readers get at least every fourth hand-over. If a woken thread finds the lock taken by
///   the other side, its own side is the next to acquire it. A writer that gives up at its deadline admits
///   no reader before a sleeping writer. So a writer waits for the readers that hold the lock, for other
///   writers, and for every fourth hand-over. It waits for readers once more only if another writer gave up
///   while it was awake.
/// - **Blocking**: waiting threads spin for a few microseconds, then sleep in the kernel.
/// - **Recursion**: writing or reading inside a write section of the same thread traps. A read section inside
///   a read section is not detected, and deadlocks when a writer arrives in between: don't nest.
/// - **Deadlocks it permits**: a read section in which the same thread asks for the write lock (the lock
///   counts its readers, and does not know which threads they are); a nested read section while a writer
///   waits; two locks in opposite orders.
/// - **Misuse that traps**: destroying the lock while it is held; more than 67 million readers at the same
///   time.
/// - **Size**: 8 bytes, inline.
@frozen
public struct CompactReadWriteLock: ~Copyable, Sendable {
  @usableFromInline
  let core: CompactReadWriteCore

  @usableFromInline
  let node: LockNode

  /// Makes a lock that is free.
  ///
  /// - Parameters:
  ///   - label: The lock's name in the reports of `DeadlockDetection`; without the trait it costs nothing.
  ///   - file: The source file that makes the lock, for those reports.
  ///   - line: The source line that makes the lock, for those reports.
  @_alwaysEmitIntoClient
  public init(label: StaticString = "", file: StaticString = #fileID, line: UInt = #line) {
    self.init(Primitive(.compact, label, file, line))
  }

  @_alwaysEmitIntoClient
  init(_ primitive: Primitive) {
    core = CompactReadWriteCore()
    node = LockNode(primitive)
  }

  @_alwaysEmitIntoClient
  deinit {
    core.checkFree(for: primitive)
  }
}

extension CompactReadWriteLock: TimedReadWriteLock {
  /// Promises that this type keeps the rules of `ReadWriteLock`; does nothing.
  @unsafe public static func unsafePromiseOfExclusion() {
    // Invariant 1 of `CompactReadWriteCore` keeps readers and other writers out while a writer holds the
    // lock.
  }

  /// Runs `body` while no thread writes; other readers may run at the same time.
  ///
  /// Blocks while a writer holds the lock or waits for it. Traps when the calling thread is the writer.
  /// Inside a read section of the same thread it deadlocks if a writer waits.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  /// - Complexity: O(1) without contention: a load and two atomic read-modify-writes.
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    beginReading()
    defer { endReading() }
    return try body()
  }

  /// Runs `body` while no other thread reads or writes.
  ///
  /// Blocks while another thread holds the lock. Traps when the calling thread holds it for writing, and
  /// deadlocks when that thread holds it for reading.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  /// - Complexity: O(1) without contention: two atomic read-modify-writes.
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    beginWriting()
    defer { endWriting() }
    return try body()
  }

  /// Runs `body` in a read section, if the lock can be acquired within `timeout`.
  ///
  /// See `TimedReadWriteLock` for the timeout and the result.
  @_alwaysEmitIntoClient
  public borrowing func withReadLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard lockForReading(timeout: timeout) else { return nil }
    node.didAcquireWithoutWaiting(.read)
    defer { endReading() }
    return try body()
  }

  /// Runs `body` in the write section, if the lock can be acquired within `timeout`.
  ///
  /// See `TimedReadWriteLock` for the timeout and the result.
  @_alwaysEmitIntoClient
  public borrowing func withWriteLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard lockForWriting(timeout: timeout) else { return nil }
    node.didAcquireWithoutWaiting(.write)
    defer { endWriting() }
    return try body()
  }

  // MARK: The ends of a section

  @_alwaysEmitIntoClient
  @_transparent
  var primitive: Primitive { node.primitive(.compact) }

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func beginReading() {
    node.willAcquire(.read)
    core.lockForReading(for: primitive)
    node.didAcquire()
  }

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func endReading() {
    node.didRelease()
    core.unlockAfterReading()
  }

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func beginWriting() {
    node.willAcquire()
    core.lockForWriting(for: primitive)
    node.didAcquire()
  }

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func endWriting() {
    node.didRelease()
    core.unlockAfterWriting()
  }

  @usableFromInline
  borrowing func lockForReading(timeout: Duration) -> Bool {
    let timeout = Timeout(timeout, for: primitive)
    return core.tryLockForReading()
      || (!timeout.isZero && core.lockForReadingSlow(until: timeout.deadlineFromNow(), for: primitive))
  }

  @usableFromInline
  borrowing func lockForWriting(timeout: Duration) -> Bool {
    let timeout = Timeout(timeout, for: primitive)
    return core.tryLockForWriting()
      || (!timeout.isZero && core.lockForWritingSlow(until: timeout.deadlineFromNow(), for: primitive))
  }
}
