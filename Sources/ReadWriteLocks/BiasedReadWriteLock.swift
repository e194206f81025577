/// A read/write lock whose read sections cost little more than no lock, as long as writes are rare.
///
/// A reader of a counting lock writes a cache line that all other readers write too. A reader of this lock notes the
/// lock on a line of its own thread and looks at a line of the lock that nobody writes; a writer, which is
/// rare, looks through the lines of all threads, and pays for the memory barriers of both sides. When writes are not
/// rare the lock notices, and all threads use a lock of the ordinary kind inside it.
///
/// It is the lock of `Protector`.
///
/// - **Fairness**: that of `CompactReadWriteLock`, which every writer takes first: writers before readers, barging, and
///   neither side starves. A writer that has the lock inside keeps out all readers, and waits for those that are in.
/// - **Blocking**: waiting threads spin for a few microseconds, then sleep in the kernel. The first write after a long
///   row of reads interrupts the other processors that run this program (`membarrier`, some microseconds).
/// - **Recursion**: reading inside a read section of the same thread just enters. Writing inside a read section, reading
///   inside a write section and writing inside a write section trap. A thread that reads more than eight of these locks at once
///   (deliveries to a `Lifecycle` count as well) is not tracked for the ninth: there, as with the compact lock, don't nest.
/// - **Deadlocks it permits**: two locks in opposite orders; a section that waits for a thread which needs the lock.
/// - **Misuse that traps**: recursion as above; destroying the lock while a writer, or a reader in the lock inside,
///   holds it (a reader that the lock does not know is not noticed); a negative timeout; more than 134 million
///   readers at once.
/// - **Size**: 48 bytes, inline, and 128 bytes for each thread that has read such a lock, until it ends.
/// - **Systems**: without `membarrier` (Darwin; Linux before 4.14; a sandbox that forbids it) readers publish with an
///   atomic exchange on their own line: dearer, and still without a line that they share.
/// - **`fork`**: use no lock between `fork` and `exec`.
public struct BiasedReadWriteLock: ~Copyable, Sendable {
  @usableFromInline
  let core: BiasedReadWriteCore

  /// Makes a lock that is free.
  @inlinable
  public init() {
    core = BiasedReadWriteCore(bias: .adaptive)
  }

  /// Makes a lock that lets readers in as `bias` says, for tests and measurements.
  package init(bias: ReaderBias) {
    core = BiasedReadWriteCore(bias: bias)
  }

  @inlinable
  deinit {
    core.checkFree()
  }
}

/// How a biased lock lets readers in.
@usableFromInline
package enum ReaderBias: Sendable {
  /// As the load suggests, with the best means that the system grants.
  case adaptive
  /// Always through the central lock.
  case central
  /// Through slots, published with a full barrier; back to them some reads after a write.
  case fenced
  /// Through slots, published with a full barrier and emptied with a plain store; back to them some reads after a write.
  /// `fenced` where the system has no `membarrier`.
  case entryFenced
  /// Through slots, published with a plain store; back to them some reads after a write. `fenced` where the system has no
  /// `membarrier`.
  case asymmetric
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
  /// - Throws: What `body` throws; the lock is let go first.
  /// - Complexity: O(1). Without recent writes: two plain stores and four loads, no atomic read-modify-write. In the first
  ///   hundreds of reads after a write: an atomic exchange of a line that is the thread's own.
  @inlinable
  @inline(__always)
  public borrowing func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    let (hold, record) = core.lockForReading()
    // Not `defer`: the compiler makes that a function of its own, and the fast path would call it.
    do throws(E) {
      let result = try body()
      core.unlockAfterReading(hold, record)
      return result
    } catch {
      core.unlockAfterReading(hold, record)
      throw error
    }
  }

  /// Runs `body` while no other thread reads or writes.
  ///
  /// It waits while another thread holds the lock, and traps inside any section of the same lock and thread.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; the lock is let go first.
  /// - Complexity: O(1) after another write: two atomic read-modify-writes. After reads, O(*n*) in the number of threads that
  ///   have read a biased lock, and a system call.
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
    guard let hold = core.lockForReading(timeout: timeout) else { return nil }
    defer { core.unlockAfterReading(hold, .current) }
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
