public import InterlockCore

/// A read/write lock of four bytes that never sleeps in the kernel: it spins, then yields the processor.
///
/// Use it for critical sections of a few dozen instructions, when threads don't outnumber processors and the
/// lock must be small or must not make system calls to wake threads. When unsure, use `CompactReadWriteLock`:
/// a thread that waits for this lock uses its processor for as long as it waits.
///
/// # Algorithm
/// The lock is one word, a `ReadWriteState`. A waiting writer sets `writersWaiting`, which keeps new readers
/// out. Only the writer that has set the flag clears it, when it acquires the lock or gives up. Writers that
/// still wait set it again when they poll next. A reader that has waited for long sets `readersFirst` while a
/// writer holds the lock. This flag keeps writers out until a reader acquires the lock and clears the flag. A
/// reader that gives up clears the flag, too, but only if that reader has set it. No flag can stay behind,
/// because the thread that has set it polls until it acquires the lock or gives up. Acquiring has acquire
/// ordering, releasing has release ordering (on arm64, `casa` and `ldaddl`). Flags are changed by relaxed
/// read-modify-writes.
///
/// - **Fairness**: barging, and writers before readers; neither readers nor writers starve as a side. Once
///   a waiting writer has set the flag `writersWaiting` itself, readers acquire the lock before this writer
///   only in turns that they get after other writers. The wait of a single thread has no bound. With many
///   more threads than processors, other writers run for whole time slices between two polls of a waiting
///   writer. If one of them holds the lock at each poll, that writer keeps waiting. Among dozens of such
///   writers, a wait can exceed a second.
/// - **Blocking**: a waiting thread spins, then yields between polls.
/// - **Recursion**: reading or writing inside a write section of the same thread traps. A read section inside
///   a read section is not detected, and waits forever when a writer arrives in between: don't nest.
/// - **Deadlocks it permits**: a read section in which the same thread asks for the write lock; a nested read
///   section while a writer waits; two locks in opposite orders; with real-time scheduling, a waiting thread
///   that keeps a holder of lower priority from running.
/// - **Misuse that traps**: destroying the lock while it is held; more than 33 million readers at the same
///   time.
/// - **Size**: 4 bytes, inline.
@frozen
public struct SpinReadWriteLock: ~Copyable, RawReadWriteLock {
  @usableFromInline
  let state: LockWord

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
    state = LockWord()
    probe = Probe(Primitive(.spin, label, file, line))
  }

  @_alwaysEmitIntoClient
  deinit {
    if !state.state().isUnlocked { probe.primitive(.spin).trapDestroyed() }
  }

  /// Promises that this type keeps the rules of `RawLock`; does nothing.
  @_documentation(visibility: internal)
  @unsafe public static func unsafePromiseOfMutualExclusion() {
    // As below: a lock that is held for writing has no readers, either.
  }

  /// Promises that this type keeps the rules of `RawReadWriteLock`; does nothing.
  @_documentation(visibility: internal)
  @unsafe public static func unsafePromiseOfExclusion() {
    // A writer excludes all other threads: a thread acquires the lock only by a compare-exchange that expects
    // a state which admits the thread.
  }

  /// The lock's type, as traps and reports name it.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  public static var kind: PrimitiveKind { .spin }

  /// The connection to the tools; see `RawLock.probe(of:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  public static func probe(of lock: borrowing SpinReadWriteLock) -> Probe { lock.probe }

  // MARK: Reading

  /// Acquires the lock for reading; see `RawReadWriteLock.unsafeLockForReading(_:until:for:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  @unsafe
  public static func unsafeLockForReading(
    _ lock: borrowing SpinReadWriteLock, until deadline: Deadline, for primitive: Primitive
  ) -> Void? {
    let state = lock.state.state()
    if state.admitsNewReaderUnbiased, lock.state.enter(from: state, to: ReadWriteState(state.bits + 1)) {
      return ()
    }
    return lock.lockForReadingSlow(until: deadline, for: primitive) ? () : nil
  }

  /// Releases the lock after reading; see `RawReadWriteLock.unsafeUnlockAfterReading(_:_:for:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  @unsafe
  public static func unsafeUnlockAfterReading(
    _ lock: borrowing SpinReadWriteLock, _ token: Void, for primitive: Primitive
  ) {
    _ = lock.state.subtractReleasing(1)
  }

  @usableFromInline
  @inline(never)
  borrowing func lockForReadingSlow(until deadline: Deadline, for primitive: Primitive) -> Bool {
    deadline == .never
      ? whileAsleep { pollForReading(until: deadline, for: primitive) }
      : pollForReading(until: deadline, for: primitive)
  }

  private borrowing func pollForReading(until deadline: Deadline, for primitive: Primitive) -> Bool {
    let me = ThreadIdentity.current
    var backoff = Backoff()
    var recorded = Probe.Wait(for: state.key, primitive, .read)
    var hasSetFlag = false
    while true {
      let state = state.state()
      if state.admitsNewReader || Self.admitsReaderInTurn(state) {
        let entered = ReadWriteState(state.bits + 1).without(ReadWriteState.readersFirst)
        if self.state.enter(from: state, to: entered) { return true }
        continue
      }
      if deadline == .passed { return false }
      if state.isWriteLocked(by: me) { primitive.trapReadInWrite() }
      if state.isFullOfReaders { primitive.trapTooManyReaders() }
      if backoff.isOver, state.isWriteLocked, !state.has(ReadWriteState.readersFirst),
        self.state.change(from: state, to: state.with(ReadWriteState.readersFirst))
      {
        hasSetFlag = true
      }
      if backoff.isOver, recorded.willSleep() { continue }
      backoff.spinOrYield(until: deadline)
      if backoff.isOver, deadline.hasPassed {
        if hasSetFlag { clear(ReadWriteState.readersFirst) }
        return false
      }
    }
  }

  /// Whether a reader may acquire the lock before waiting writers, because `readersFirst` is set.
  private static func admitsReaderInTurn(_ state: ReadWriteState) -> Bool {
    state.has(ReadWriteState.readersFirst) && !state.isWriteLocked && !state.isFullOfReaders
      && !state.has(ReadWriteState.reserved)
  }

  // MARK: Writing

  /// Acquires the lock; see `RawLock.unsafeLock(_:until:for:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  @unsafe
  public static func unsafeLock(
    _ lock: borrowing SpinReadWriteLock, until deadline: Deadline, for primitive: Primitive
  ) -> Bool {
    let locked = ReadWriteState(ReadWriteState.writeLocked | ThreadIdentity.current)
    return lock.state.enter(from: ReadWriteState(0), to: locked)
      || lock.lockForWritingSlow(until: deadline, for: primitive)
  }

  /// Whether the lock can be reserved; see `RawLock.isReservable`.
  @_documentation(visibility: internal)
  @unsafe public static var isReservable: Bool { true }

  /// Acquires the lock for a thread for which it may be reserved; see `RawLock.unsafeLockServed(_:until:for:)`.
  @_documentation(visibility: internal)
  @unsafe
  public static func unsafeLockServed(
    _ lock: borrowing SpinReadWriteLock, until deadline: Deadline, for primitive: Primitive
  ) -> Bool {
    lock.lockForWritingSlow(until: deadline, for: primitive, isServed: true)
  }

  /// Releases the lock; see `RawLock.unsafeUnlock(_:for:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  @unsafe
  public static func unsafeUnlock(_ lock: borrowing SpinReadWriteLock, for primitive: Primitive) {
    _ = lock.state.subtractReleasing(ReadWriteState.writeLocked | ThreadIdentity.current)
  }

  @usableFromInline
  @inline(never)
  borrowing func lockForWritingSlow(until deadline: Deadline, for primitive: Primitive) -> Bool {
    lockForWritingSlow(until: deadline, for: primitive, isServed: false)
  }

  borrowing func lockForWritingSlow(
    until deadline: Deadline, for primitive: Primitive, isServed: Bool
  ) -> Bool {
    deadline == .never
      ? whileAsleep { pollForWriting(until: deadline, for: primitive, isServed) }
      : pollForWriting(until: deadline, for: primitive, isServed)
  }

  private borrowing func pollForWriting(
    until deadline: Deadline, for primitive: Primitive, _ isServed: Bool
  ) -> Bool {
    let me = ThreadIdentity.current
    var backoff = Backoff()
    var recorded = Probe.Wait(for: state.key, primitive)
    var hasSetFlag = false
    while true {
      let state = state.state()
      if state.admitsWriter(isServed: isServed) {
        let flags = ReadWriteState.reserved | (hasSetFlag ? ReadWriteState.writersWaiting : 0)
        let others = state.without(flags)
        if self.state.enter(from: state, to: others.with(ReadWriteState.writeLocked | me)) { return true }
        continue
      }
      if deadline == .passed { return false }
      if state.isWriteLocked(by: me) { primitive.trapWriteInWrite() }
      guard self.state.change(from: state, to: state.with(ReadWriteState.writersWaiting)) else { continue }
      if !state.has(ReadWriteState.writersWaiting) { hasSetFlag = true }
      if backoff.isOver, recorded.willSleep() { continue }
      backoff.spinOrYield(until: deadline)
      if backoff.isOver, deadline.hasPassed {
        if hasSetFlag { clear(ReadWriteState.writersWaiting) }
        return false
      }
    }
  }

  // MARK: Waiting

  /// Clears `flag`, for a thread that has set the flag and gives up.
  ///
  /// Other threads that still need the flag set it again.
  private borrowing func clear(_ flag: UInt32) {
    while true {
      let state = state.state()
      if self.state.change(from: state, to: state.without(flag)) { return }
    }
  }
}

extension PrimitiveKind {
  @_alwaysEmitIntoClient
  @_transparent
  package static var spin: PrimitiveKind {
    PrimitiveKind("SpinReadWriteLock", .sharesReads | .waitsInNestedRead)
  }
}
