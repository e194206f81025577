public import InterlockCore

/// A read/write lock whose readers don't share a cache line, as long as writes are rare.
///
/// In a lock that counts its readers, all of them write one cache line, which travels between their
/// processors. Each reader of this lock writes a line of its own, and a writer scans all of these lines. Where
/// writes are frequent, counting the readers is faster: the lock tries both now and then, and keeps the faster.
///
/// `Protector` uses this lock.
///
/// - **Fairness**: the same as `CompactReadWriteLock`. Writers go before readers, barging is possible, and
///   neither side starves. A waiting writer keeps later readers out, even when other writers give up.
/// - **Blocking**: waiting threads spin for a few microseconds, then sleep in the kernel.
/// - **Recursion**: a read section inside a read section of the same thread never waits. Writing inside a
///   read section, reading inside a write section and writing inside a write section trap. While a thread is in
///   read sections of eight such locks, one of a further lock allocates memory.
/// - **Deadlocks it permits**: two locks in opposite orders; a critical section that waits for a thread which
///   needs the lock.
/// - **Misuse that traps**: recursion as above; destroying the lock while it is held (readers are detected
///   only while the lock counts them); a negative timeout; more than 33 million readers at the same time.
/// - **Size**: 40 bytes, inline. All locks of this type share 80 bytes for each thread, and one table of 512
///   bytes for each processor.
/// - **`fork`**: use no lock between `fork` and `exec`.
@frozen
public struct BiasedReadWriteLock: ~Copyable, Sendable {
  @usableFromInline
  let core: BiasedReadWriteCore

  /// The name in traps: that of this type, or of a protector that has made the lock for itself.
  // A whole `PrimitiveKind` would move the value of a protector into another line than its lock.
  private let name: PrimitiveKind.Name

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
    self.init(bias: .adaptive, Primitive(.biased, label, file, line))
  }

  /// Makes a lock with the given bias; traps and reports name the lock as `primitive`.
  @usableFromInline
  package init(bias: ReaderBias, _ primitive: Primitive = Primitive(.biased, "", #fileID, #line)) {
    core = BiasedReadWriteCore(bias: bias)
    name = primitive.kind.name
    probe = Probe(primitive)
  }

  /// Makes a lock that does not adapt, for measurements: its readers use slots, or count themselves.
  @_spi(Benchmarks)
  public init(usesSlots: Bool) {
    self.init(bias: usesSlots ? .slots : .counted)
  }

  @_alwaysEmitIntoClient
  deinit {
    checkFree()
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

extension BiasedReadWriteLock: RawReadWriteLock {
  /// Promises that this type keeps the rules of `RawLock`; does nothing.
  @_documentation(visibility: internal)
  @unsafe public static func unsafePromiseOfMutualExclusion() {
    // As below: a lock that is held for writing has no readers, either.
  }

  /// Promises that this type keeps the rules of `RawReadWriteLock`; does nothing.
  @_documentation(visibility: internal)
  @unsafe public static func unsafePromiseOfExclusion() {
    // The section "Exclusion" in the header of `BiasedReadWriteCore` shows that a writer excludes all other
    // threads.
  }

  /// The lock's type, as traps and reports name it.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  public static var kind: PrimitiveKind { .biased }

  /// The connection to the tools; see `RawLock.probe(of:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  public static func probe(of lock: borrowing BiasedReadWriteLock) -> Probe { lock.probe }

  // The slow paths use the lock's own name, and not the one that is passed: a slow path that preserves the
  // caller's registers gets only the lock's key.

  /// Acquires the lock; see `RawLock.unsafeLock(_:until:for:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  @unsafe
  public static func unsafeLock(
    _ lock: borrowing BiasedReadWriteLock, until deadline: Deadline, for primitive: Primitive
  ) -> Bool {
    if deadline == .never {
      lock.core.lockForWriting()
      return true
    }
    return lock.lockForWriting(until: deadline)
  }

  /// Whether the lock can be reserved; see `RawLock.isReservable`.
  @_documentation(visibility: internal)
  @unsafe public static var isReservable: Bool { true }

  /// Acquires the lock for a thread for which it may be reserved; see `RawLock.unsafeLockServed(_:until:for:)`.
  @_documentation(visibility: internal)
  @unsafe
  public static func unsafeLockServed(
    _ lock: borrowing BiasedReadWriteLock, until deadline: Deadline, for primitive: Primitive
  ) -> Bool {
    lock.core.lockForWriting(until: deadline, for: primitive, isServed: true)
  }

  /// Releases the lock; see `RawLock.unsafeUnlock(_:for:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  @unsafe
  public static func unsafeUnlock(_ lock: borrowing BiasedReadWriteLock, for primitive: Primitive) {
    lock.core.unlockAfterWriting()
  }

  /// Acquires the lock for reading; see `RawReadWriteLock.unsafeLockForReading(_:until:for:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  @unsafe
  public static func unsafeLockForReading(
    _ lock: borrowing BiasedReadWriteLock, until deadline: Deadline, for primitive: Primitive
  ) -> ReadSection? {
    deadline == .never ? lock.core.lockForReading() : lock.lockForReading(until: deadline)
  }

  /// Releases the lock after reading; see `RawReadWriteLock.unsafeUnlockAfterReading(_:_:for:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  @unsafe
  public static func unsafeUnlockAfterReading(
    _ lock: borrowing BiasedReadWriteLock, _ token: consuming ReadSection, for primitive: Primitive
  ) {
    lock.core.unlockAfterReading(token)
  }

  // MARK: Slow paths

  /// The lock's identity in traps and reports.
  var primitive: Primitive { probe.primitive(PrimitiveKind(name, .sharesReads)) }

  @usableFromInline
  borrowing func lockForReading(until deadline: Deadline) -> ReadSection? {
    core.lockForReading(until: deadline, for: primitive)
  }

  @usableFromInline
  borrowing func lockForWriting(until deadline: Deadline) -> Bool {
    core.lockForWriting(until: deadline, for: primitive)
  }

  @usableFromInline
  borrowing func checkFree() {
    core.central.checkFree(for: primitive)
  }
}

extension PrimitiveKind {
  @_alwaysEmitIntoClient
  @_transparent
  package static var biased: PrimitiveKind { PrimitiveKind("BiasedReadWriteLock", .sharesReads) }
}
