public import DeadlockDetector
public import LockSupport

/// A read/write lock whose readers don't share a cache line, as long as writes are rare.
///
/// In a lock that counts its readers, all of them write one cache line, which travels between their
/// processors. Each reader of this lock writes a line of its own, and a writer scans all of these lines. The
/// lock measures what this saves and costs. Where writes are frequent, it counts its readers instead.
///
/// `Protector` uses this lock.
///
/// - **Fairness**: the same as `CompactReadWriteLock`. Writers go before readers, barging is possible, and
///   neither side starves. A waiting writer keeps later readers out, even when other writers give up.
/// - **Blocking**: waiting threads spin for a few microseconds, then sleep in the kernel.
/// - **Recursion**: a read section inside a read section of the same thread never waits. Writing inside a
///   read section, reading inside a write section and writing inside a write section trap. These rules hold
///   while a thread is in read sections of at most eight such locks (deliveries to a `Lifecycle` count as
///   well). Don't nest more: recursion on a ninth lock is not detected.
/// - **Deadlocks it permits**: two locks in opposite orders; a critical section that waits for a thread which
///   needs the lock.
/// - **Misuse that traps**: recursion as above; destroying the lock while it is held (readers are detected
///   only while the lock counts them); a negative timeout; more than 67 million readers at the same time.
/// - **Size**: 36 bytes, inline. All locks of this type share 80 bytes for each thread, and one table of 512
///   bytes for each processor.
/// - **`fork`**: use no lock between `fork` and `exec`.
@frozen
public struct BiasedReadWriteLock: ~Copyable, Sendable {
  @usableFromInline
  let core: BiasedReadWriteCore

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
    self.init(bias: .adaptive, Primitive(.biased, label, file, line))
  }

  /// Makes a lock with the given bias; traps and reports name the lock as `primitive`.
  @usableFromInline
  package init(bias: ReaderBias, _ primitive: Primitive = Primitive(.biased, "", #fileID, #line)) {
    core = BiasedReadWriteCore(bias: bias, for: primitive)
    node = LockNode(primitive)
  }

  @_alwaysEmitIntoClient
  deinit {
    core.checkFree()
  }
}

/// Whether readers of a `BiasedReadWriteLock` use slots or are counted.
///
/// A reader in a slot publishes the lock's key in the `SlotTable`. A counted reader changes the lock's word.
@usableFromInline
@frozen
package enum ReaderBias: Sendable {
  /// The lock measures which is cheaper, and switches: its readers use slots of the `SlotTable`, or count
  /// themselves in the lock's word.
  case adaptive
  /// All readers count themselves in the lock's word. Only tests and measurements use this case.
  case counted
  /// The lock stays biased: a reader uses a slot of the `SlotTable` if one is vacant. Only tests and
  /// measurements use this case.
  case slots
}

extension BiasedReadWriteLock: TimedReadWriteLock {
  /// Promises that this type keeps the rules of `ReadWriteLock`; does nothing.
  @unsafe public static func unsafePromiseOfExclusion() {
    // The section "Exclusion" in the header of `BiasedReadWriteCore` shows that a writer excludes all other
    // threads.
  }

  /// Runs `body` while no thread writes; other readers may run at the same time.
  ///
  /// Blocks while a writer holds the lock or waits for it. Inside a read section of the same thread it never
  /// waits. Inside a write section of the same thread it traps.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  /// - Complexity: O(1). Where writes are rare, one atomic compare-exchange on a cache line of the thread's
  ///   own.
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    node.willAcquire(.read)
    let section = core.lockForReading()
    node.didAcquire()
    // This does not use `defer`: the compiler would put the deferred code into a function of its own, which
    // the fast path would have to call.
    do throws(E) {
      let result = try body()
      endReading(section)
      return result
    } catch {
      endReading(section)
      throw error
    }
  }

  /// Runs `body` while no other thread reads or writes.
  ///
  /// Blocks while another thread holds the lock. Traps when the calling thread holds it for reading or
  /// writing.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  /// - Complexity: O(1) where writes are frequent: two atomic read-modify-writes. Otherwise O(*n*) in the
  ///   number of processors.
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    node.willAcquire()
    core.lockForWriting()
    node.didAcquire()
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
    guard let section = core.lockForReading(timeout: timeout) else { return nil }
    node.didAcquireWithoutWaiting(.read)
    defer { endReading(section) }
    return try body()
  }

  /// Runs `body` in the write section, if the lock can be acquired within `timeout`.
  ///
  /// See `TimedReadWriteLock` for the timeout and the result. Inside a read section of the same thread it
  /// returns `nil` if `timeout` is zero, and traps otherwise.
  @_alwaysEmitIntoClient
  public borrowing func withWriteLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard core.lockForWriting(timeout: timeout) else { return nil }
    node.didAcquireWithoutWaiting(.write)
    defer { endWriting() }
    return try body()
  }

  // MARK: The end of a section

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func endReading(_ section: ReadSection) {
    node.didRelease()
    core.unlockAfterReading(section)
  }

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func endWriting() {
    node.didRelease()
    core.unlockAfterWriting()
  }
}
