/// A read/write lock whose readers don't share a cache line, as long as writes are rare.
///
/// Readers of a counting lock all write one cache line, which travels between their processors. Readers of this lock publish
/// themselves on a line of their own, and a writer looks at all of these lines. The lock measures what that saves and what it
/// costs, and counts its readers where writes are frequent.
///
/// It is the lock of `Protector`.
///
/// - **Fairness**: that of `CompactReadWriteLock`: writers before readers, barging, and neither side starves. A writer that
///   waits keeps later readers out.
/// - **Blocking**: waiting threads spin for a few microseconds, then sleep in the kernel.
/// - **Recursion**: reading inside a read section of the same thread enters at once. Writing inside a read section, reading
///   inside a write section and writing inside a write section trap. A thread can nest read sections of eight such locks
///   (deliveries to a `Lifecycle` count as well). It is not known as the reader of a ninth: don't nest there.
/// - **Deadlocks it permits**: two locks in opposite orders; a section that waits for a thread which needs the lock.
/// - **Misuse that traps**: recursion as above; destroying the lock while a writer or a counted reader holds it (a reader that
///   has published itself is not noticed); a negative timeout; more than 67 million readers at once.
/// - **Size**: 36 bytes, inline, and 80 bytes for each thread. The process has one table of 512 bytes for each processor.
/// - **`fork`**: use no lock between `fork` and `exec`.
public struct BiasedReadWriteLock: ~Copyable, Sendable {
  @usableFromInline
  let core: BiasedReadWriteCore

  /// Makes a lock that is free.
  @inlinable
  public init() {
    core = BiasedReadWriteCore(bias: .adaptive, for: .biased)
  }

  /// Makes a lock that lets readers in as `bias` says, and whose traps name `primitive`.
  @usableFromInline
  package init(bias: ReaderBias, for primitive: ReadWritePrimitive = .biased) {
    core = BiasedReadWriteCore(bias: bias, for: primitive)
  }

  @inlinable
  deinit {
    core.checkFree()
  }
}

/// How a biased lock lets readers in.
@usableFromInline
package enum ReaderBias: Sendable, CaseIterable {
  /// Through slots or counted, whichever costs less.
  case adaptive
  /// Counted, always: for tests and measurements.
  case counted
  /// Through slots, always: for tests and measurements.
  case slots
}

extension BiasedReadWriteLock: TimedReadWriteLock {
  /// The promise that `ReadWriteLock` asks for.
  @unsafe public static func unsafePromiseOfExclusion() {
    // Kept by the argument in the header of `BiasedReadWriteCore`.
  }

  /// Runs `body` while no thread writes; other readers may run at the same time.
  ///
  /// It waits while a writer holds the lock or waits for it. Inside a read section of the same thread it just runs
  /// `body`; inside a write section of the same thread it traps.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; the lock is released first.
  /// - Complexity: O(1). Where writes are rare, one atomic compare-exchange, on a line that is the thread's own.
  @inlinable
  @inline(__always)
  public borrowing func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    let section = core.lockForReading()
    // Not `defer`: the compiler makes that a function of its own, and the fast path would call it.
    do throws(E) {
      let result = try body()
      core.unlockAfterReading(section)
      return result
    } catch {
      core.unlockAfterReading(section)
      throw error
    }
  }

  /// Runs `body` while no other thread reads or writes.
  ///
  /// It waits while another thread holds the lock, and traps inside any section of the same lock and thread.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; the lock is released first.
  /// - Complexity: O(1) where writes are frequent: two atomic read-modify-writes. Otherwise O(*n*) in the number of processors.
  @inlinable
  @inline(__always)
  public borrowing func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    core.lockForWriting()
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
    guard let section = core.lockForReading(timeout: timeout) else { return nil }
    defer { core.unlockAfterReading(section) }
    return try body()
  }

  /// Runs `body` in the write section, if it can be entered within `timeout`.
  ///
  /// See `TimedReadWriteLock` for the timeout and the result. Inside a read section of the same thread it fails if
  /// `timeout` is zero, and traps otherwise.
  @inlinable
  public borrowing func withWriteLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard core.lockForWriting(timeout: timeout) else { return nil }
    defer { core.unlockAfterWriting() }
    return try body()
  }
}
