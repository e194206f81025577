public import InterlockCore

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
/// - **Misuse that traps**: destroying the lock while it is held; more than 33 million readers at the same
///   time.
/// - **Size**: 8 bytes, inline.
@frozen
public struct CompactReadWriteLock: ~Copyable, Sendable {
  @usableFromInline
  let core: CompactReadWriteCore

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
  public init(label: StaticString = "", file: StaticString = #fileID, line: UInt = #line) {
    self.init(Primitive(.compact, label, file, line))
  }

  @_alwaysEmitIntoClient
  init(_ primitive: Primitive) {
    core = CompactReadWriteCore()
    probe = Probe(primitive)
  }

  @_alwaysEmitIntoClient
  deinit {
    core.checkFree(for: probe.primitive(.compact))
  }
}

extension CompactReadWriteLock: RawReadWriteLock {
  /// Promises that this type keeps the rules of `RawLock`; does nothing.
  @_documentation(visibility: internal)
  @unsafe public static func unsafePromiseOfMutualExclusion() {
    // As below: a lock that is held for writing has no readers, either.
  }

  /// Promises that this type keeps the rules of `RawReadWriteLock`; does nothing.
  @_documentation(visibility: internal)
  @unsafe public static func unsafePromiseOfExclusion() {
    // Invariant 1 of `CompactReadWriteCore` keeps readers and other writers out while a writer holds the
    // lock.
  }

  /// The lock's type, as traps and reports name it.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  public static var kind: PrimitiveKind { .compact }

  /// The connection to the tools; see `RawLock.probe(of:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  public static func probe(of lock: borrowing CompactReadWriteLock) -> Probe { lock.probe }

  /// Acquires the lock; see `RawLock.unsafeLock(_:until:for:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  @unsafe
  public static func unsafeLock(
    _ lock: borrowing CompactReadWriteLock, until deadline: Deadline, for primitive: Primitive
  ) -> Bool {
    lock.core.lockForWriting(until: deadline, for: primitive)
  }

  /// Whether the lock can be reserved; see `RawLock.isReservable`.
  @_documentation(visibility: internal)
  @unsafe public static var isReservable: Bool { true }

  /// Acquires the lock for a thread for which it may be reserved; see `RawLock.unsafeLockServed(_:until:for:)`.
  @_documentation(visibility: internal)
  @unsafe
  public static func unsafeLockServed(
    _ lock: borrowing CompactReadWriteLock, until deadline: Deadline, for primitive: Primitive
  ) -> Bool {
    lock.core.lockForWritingSlow(until: deadline, for: primitive, isServed: true)
  }

  /// Releases the lock; see `RawLock.unsafeUnlock(_:for:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  @unsafe
  public static func unsafeUnlock(_ lock: borrowing CompactReadWriteLock, for primitive: Primitive) {
    lock.core.unlockAfterWriting()
  }

  /// Acquires the lock for reading; see `RawReadWriteLock.unsafeLockForReading(_:until:for:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  @unsafe
  public static func unsafeLockForReading(
    _ lock: borrowing CompactReadWriteLock, until deadline: Deadline, for primitive: Primitive
  ) -> Void? {
    lock.core.lockForReading(until: deadline, for: primitive) ? () : nil
  }

  /// Releases the lock after reading; see `RawReadWriteLock.unsafeUnlockAfterReading(_:_:for:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  @unsafe
  public static func unsafeUnlockAfterReading(
    _ lock: borrowing CompactReadWriteLock, _ token: Void, for primitive: Primitive
  ) {
    lock.core.unlockAfterReading()
  }
}

extension PrimitiveKind {
  @_alwaysEmitIntoClient
  @_transparent
  package static var compact: PrimitiveKind {
    PrimitiveKind("CompactReadWriteLock", .sharesReads | .waitsInNestedRead)
  }
}
