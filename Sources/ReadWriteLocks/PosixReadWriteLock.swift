internal import CInterlock
public import InterlockCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// `pthread_rwlock_t` as a `ReadWriteLock`: the system's lock, set to prefer writers.
///
/// Use it for comparison, or where the system's lock is required. The pthread object has a stable address of
/// its own for as long as the lock lives.
///
/// - **Fairness**: the system's. With glibc a waiting writer goes before new readers, and readers can starve
///   while writers follow one another without a gap. With musl a writer waits until no thread reads, and
///   overlapping readers starve it. Darwin's manual says that writers are favored.
/// - **Timeouts**: a thread that waits with a timeout does not queue. It polls the lock with pauses that grow
///   to a millisecond. So overlapping readers starve a timed write on every system, until its time has
///   passed. If writes must succeed in time beside many readers, use another lock of this package. This type
///   uses no timed functions of the system: Darwin has none, and those of glibc can spin forever when writers
///   are preferred. A thread whose timeout the clock can't represent waits without a timeout.
/// - **Recursion**: a section inside a write section of the same thread traps. A read section inside a read
///   section is not detected. It deadlocks when a writer waits and the system prefers writers: don't nest.
/// - **Deadlocks it permits**: a read section in which the same thread asks for the write lock; a nested read
///   section while a writer waits; two locks in opposite orders.
/// - **Size**: an object, and 56 bytes that it allocates (x86-64).
@safe
public final class PosixReadWriteLock: RawReadWriteLock {
  // Sound: the pointer is set in `init`, its memory is freed in `deinit`, and the pointer never leaves this
  // class. All threads may use a pthread lock. For the same reasons the class is `@safe`.
  private nonisolated(unsafe) let lock: UnsafeMutableRawPointer

  /// The `ThreadIdentity` of the writer; 0 while no thread holds the lock for writing.
  ///
  /// Only the writer itself relies on this value, so relaxed ordering suffices.
  private let writer = LockWord()

  /// The connection to the tools.
  @usableFromInline
  package let probe: Probe

  /// Makes a lock that is free.
  ///
  /// - Parameters:
  ///   - label: The lock's name in the reports of `DeadlockDetection`; without the trait it costs nothing.
  ///   - file: The source file that makes the lock, for those reports.
  ///   - line: The source line that makes the lock, for those reports.
  @_alwaysEmitIntoClient
  public convenience init(label: StaticString = "", file: StaticString = #fileID, line: UInt = #line) {
    self.init(Primitive(.posix, label, file, line))
  }

  @usableFromInline
  init(_ primitive: Primitive) {
    probe = Probe(primitive)
    guard let lock = unsafe interlock_rwlock_create() else {
      // Untested: memory would have to run out in this very call.
      misuse(primitive, "the system could not make a lock", "free memory and try again")
    }
    unsafe self.lock = unsafe lock
  }

  deinit {
    // Sound: no thread holds the lock any more, because each section keeps its lock alive.
    unsafe interlock_rwlock_destroy(lock)
  }

  /// Promises that this type keeps the rules of `RawLock`; does nothing.
  @_documentation(visibility: internal)
  @unsafe public static func unsafePromiseOfMutualExclusion() {
    // As below: a lock that is held for writing has no readers, either.
  }

  /// Promises that this type keeps the rules of `RawReadWriteLock`; does nothing.
  @_documentation(visibility: internal)
  @unsafe public static func unsafePromiseOfExclusion() {
    // While a writer holds the system's lock, `pthread_rwlock_t`, it excludes all other threads.
  }

  /// The lock's type, as traps and reports name it.
  @_documentation(visibility: internal)
  public static var kind: PrimitiveKind { .posix }

  /// The connection to the tools; see `RawLock.probe(of:)`.
  @_documentation(visibility: internal)
  public static func probe(of lock: PosixReadWriteLock) -> Probe { lock.probe }

  /// Acquires the lock; see `RawLock.unsafeLock(_:until:for:)`.
  @_documentation(visibility: internal)
  @unsafe
  public static func unsafeLock(
    _ lock: PosixReadWriteLock, until deadline: Deadline, for primitive: Primitive
  ) -> Bool {
    lock.lockForWriting(until: deadline, for: primitive)
  }

  /// Releases the lock; see `RawLock.unsafeUnlock(_:for:)`.
  @_documentation(visibility: internal)
  @unsafe
  public static func unsafeUnlock(_ lock: PosixReadWriteLock, for primitive: Primitive) {
    lock.unlockAfterWriting()
  }

  /// Acquires the lock for reading; see `RawReadWriteLock.unsafeLockForReading(_:until:for:)`.
  @_documentation(visibility: internal)
  @unsafe
  public static func unsafeLockForReading(
    _ lock: PosixReadWriteLock, until deadline: Deadline, for primitive: Primitive
  ) -> Void? {
    lock.lockForReading(until: deadline, for: primitive) ? () : nil
  }

  /// Releases the lock after reading; see `RawReadWriteLock.unsafeUnlockAfterReading(_:_:for:)`.
  @_documentation(visibility: internal)
  @unsafe
  public static func unsafeUnlockAfterReading(
    _ lock: PosixReadWriteLock, _ token: Void, for primitive: Primitive
  ) {
    lock.unlockAfterReading()
  }

  // MARK: The system's calls

  private func lockForReading(until deadline: Deadline, for primitive: Primitive) -> Bool {
    // The lock is tried first, which costs as much as acquiring a free lock. If this fails, the lock is
    // contended, and the wait is recorded.
    if check(unsafe interlock_rwlock_tryrdlock(lock), "locked for reading") { return true }
    if deadline == .passed { return false }
    if isHeldForWriting { primitive.trapReadInWrite() }
    return waitForReading(until: deadline)
  }

  @inline(never)
  private func waitForReading(until deadline: Deadline) -> Bool {
    // A contention profile does not learn which stack ends this wait: a thread that releases a pthread lock
    // can't find out whether other threads wait.
    var wait = Probe.Wait(for: writer.key, primitive, .read)
    _ = wait.willSleep()
    return whileAsleep {
      let result =
        unsafe deadline == .never
        ? interlock_rwlock_rdlock(lock) : interlock_rwlock_rdlock_until(lock, deadline.nanoseconds)
      return check(result, "locked for reading")
    }
  }

  private func unlockAfterReading() {
    // The call can't fail, because the calling thread holds the lock.
    _ = unsafe interlock_rwlock_unlock(lock)
  }

  private func lockForWriting(until deadline: Deadline, for primitive: Primitive) -> Bool {
    if !check(unsafe interlock_rwlock_trywrlock(lock), "locked for writing") {
      if deadline == .passed { return false }
      if isHeldForWriting { primitive.trapWriteInWrite() }
      guard waitForWriting(until: deadline) else { return false }
    }
    writer.storeRelaxed(ThreadIdentity.current)
    return true
  }

  @inline(never)
  private func waitForWriting(until deadline: Deadline) -> Bool {
    var wait = Probe.Wait(for: writer.key, primitive)
    _ = wait.willSleep()
    return whileAsleep {
      let result =
        unsafe deadline == .never
        ? interlock_rwlock_wrlock(lock) : interlock_rwlock_wrlock_until(lock, deadline.nanoseconds)
      return check(result, "locked for writing")
    }
  }

  private func unlockAfterWriting() {
    writer.storeRelaxed(0)
    // The call can't fail, because the calling thread holds the lock.
    _ = unsafe interlock_rwlock_unlock(lock)
  }

  // MARK: Traps

  /// Whether the calling thread is the writer, for the detection of recursion.
  ///
  /// Not every system's lock detects recursion. A wait with a timeout never does, because it polls the lock.
  private var isHeldForWriting: Bool { writer.loadRelaxed() == ThreadIdentity.current }

  private var primitive: Primitive { probe.primitive(.posix) }

  /// Whether `result`, which a pthread function has returned, means that the lock was acquired.
  ///
  /// Returns `false` if the lock was busy or the time has passed. Traps on any other error.
  ///
  /// - Parameter done: The attempt, as the trap message names it, such as "locked for reading".
  @discardableResult
  func check(_ result: Int32, _ done: StaticString) -> Bool {
    switch result {
    case 0: return true
    case EBUSY, ETIMEDOUT: return false
    case EAGAIN:
      misuse(
        primitive, "more readers at once than the system can count",
        "leave read sections before entering new ones")
    default:
      misuse(
        primitive, "\(done), and the system refused (error \(result))", "report this as a bug")
    }
  }
}

extension PrimitiveKind {
  @_alwaysEmitIntoClient
  @_transparent
  package static var posix: PrimitiveKind {
    PrimitiveKind("PosixReadWriteLock", .sharesReads | .waitsInNestedRead)
  }
}
