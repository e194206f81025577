public import InterlockCore

/// The algorithm of `CompactReadWriteLock`.
///
/// # Why
/// `pthread_rwlock_t` takes 56 bytes and prefers readers by default, which starves writers. This lock takes two
/// words, prefers writers, and bounds how often either side is passed over. Like Rust's futex lock, it has a word
/// with a count and flags, and one on which writers sleep. It also grants *turns*: a turn is the right of one side
/// (readers or writers) to acquire the lock next.
///
/// # State
/// `state` is a `ReadWriteState`, which describes the flags that are named here; readers sleep on it. `turns`
/// counts the turns that were granted; writers sleep on it. So a wake-up meant for a writer never goes to a
/// reader. A thread is *in* while it holds the lock.
///
/// | thread | admitted when |
/// |---|---|
/// | a new reader | no writer is in, and no flag is set |
/// | a woken reader | no writer is in; `writersFirst` is clear; `readersFirst` is set or no writer waits |
/// | a writer | no thread is in, and `readersFirst` is clear; `reserved` admits one alone (`ReservableLock`) |
///
/// # Invariants
/// 1. Every change of `state` is a read-modify-write. A thread acquires the lock by a compare-exchange that
///    expects a state which admits the thread. So either one writer is in, or only readers are.
/// 2. A reader sleeps only while `state` has the value that the reader saw, with `readersWaiting` set. A
///    writer sets `writersWaiting`, reads `turns`, checks `state` once more, and sleeps only while `turns`
///    has the value that it read.
/// 3. A thread that releases the lock and leaves flags behind runs `passOn`. `passOn` clears flags only in an
///    unlocked state. If another thread acquires the lock meanwhile, `passOn` stops, because the new holder
///    sees the remaining flags when it releases the lock. The thread that wakes a writer may have cleared
///    `writersWaiting` while others sleep. So a woken writer sets it when it acquires, or before it sleeps.
/// 4. A reader that has slept sets `readersFirst` together with `readersWaiting` while a writer is in.
///    Otherwise only `passOn` sets it. In an unlocked state the flag keeps writers out, so `passOn` leaves it
///    set only if it woke a sleeping reader, which is admitted even if it is late. The last reader to release
///    clears the flag, and so does a reader that acquires the lock while no writer waits.
/// 5. `writersFirst` is set only while readers are in (in slots, too), together with `writersWaiting`. A
///    writer that acquires the lock clears it. In an unlocked state `passOn` leaves it set only if it woke a
///    sleeping writer. While it is set, `passOn` grants the readers no turn. Otherwise each side would wait
///    for the other.
/// 6. A thread that clears `writersWaiting` increments `turns` afterwards. So a writer that relied on the
///    flag does not go to sleep, because `turns` has changed.
/// 7. A writer is *responsible* for `writersWaiting` if it has set the flag or was woken. If it gives up
///    while readers are in, it wakes a sleeping writer, which becomes responsible. If no writer sleeps, it
///    clears all flags. A writer that is not responsible gives up without a change.
/// 8. While readers are in and no writer waits, no flag is set, so readers never wait for one another. There
///    is one exception: in a turn of the readers, `writersWaiting` may be left over from an earlier writer.
/// 9. At rest (no thread in any operation, and no reservation) `state` is 0.
///
/// # Memory ordering
/// A thread acquires the lock by an acquiring compare-exchange, and releases it by a releasing subtraction.
/// Changes of flags are relaxed read-modify-writes, which continue the release sequence. `turns` is
/// incremented with release after the state changed, and read with acquire before the state is checked. So a
/// writer that reads the new count also sees the unlocked state, or a later one, and does not sleep on it.
///
/// # Fairness
/// Neither side starves: see `passOn`. Inside one side there is no order. A writer waits for the readers that
/// are in, for other writers, and for every fourth turn. It waits for readers once more whenever it has been
/// awake while a responsible writer gave up, and then has set the flag again.
///
/// # Deadlocks it permits
/// A read section in which the same thread asks for the write lock; a nested read section while a writer
/// waits; two locks in opposite orders. Recursion of the writer traps.
@usableFromInline
@frozen
struct CompactReadWriteCore: ~Copyable, Sendable {
  @usableFromInline
  let state: LockWord

  /// The number of turns that were granted, wrapping around; sleeping writers wait on this word.
  ///
  /// It must stay the core's second word, because the lock's key is computed from its address (see
  /// `LockWord.key(ofStructFrom:)`).
  @usableFromInline
  let turns: LockWord

  @usableFromInline
  init(isBiased: Bool = false) {
    state = LockWord(isBiased ? ReadWriteState.biased : 0)
    turns = LockWord()
  }

  /// While readers and writers wait, the readers get one turn out of this many.
  private static let turnsPerReadersTurn: UInt32 = 4

  /// The lock's key.
  @_alwaysEmitIntoClient
  @_transparent
  var key: UInt { turns.key(ofStructFrom: 4) }

  // MARK: Fast paths

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func lockForReading(until deadline: Deadline, for primitive: Primitive) -> Bool {
    tryLockForReadingOnce(state.state()) || lockForReadingSlow(until: deadline, for: primitive)
  }

  /// Acquires the lock for reading by one compare-exchange from `state`; returns whether it succeeded.
  ///
  /// It fails if `state` is biased or does not admit a new reader, or if another thread has changed the word.
  @_alwaysEmitIntoClient
  @_transparent
  borrowing func tryLockForReadingOnce(_ state: ReadWriteState) -> Bool {
    state.admitsNewReaderUnbiased && self.state.enter(from: state, to: ReadWriteState(state.bits + 1))
  }

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func unlockAfterReading() {
    let state = ReadWriteState(self.state.subtractReleasing(1))
    if _slowPath(state.hasFlags) { passOn(state, afterWriting: false) }
  }

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func lockForWriting(until deadline: Deadline, for primitive: Primitive) -> Bool {
    tryLockForWritingOnce() || lockForWritingSlow(until: deadline, for: primitive)
  }

  /// Acquires the lock for writing by one compare-exchange; returns whether it succeeded.
  ///
  /// It fails if the lock is held or biased, or if a flag is set.
  @_alwaysEmitIntoClient
  @_transparent
  borrowing func tryLockForWritingOnce() -> Bool {
    state.enter(
      from: ReadWriteState(0), to: ReadWriteState(ReadWriteState.writeLocked | ThreadIdentity.current))
  }

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func unlockAfterWriting() {
    let locked = ReadWriteState.writeLocked | ThreadIdentity.current
    let state = ReadWriteState(self.state.subtractReleasing(locked))
    if _slowPath(state.hasFlags) { passOn(state, afterWriting: true) }
  }

  /// Whether at least one counted reader holds the lock.
  @_alwaysEmitIntoClient
  var isReadLocked: Bool { state.state().isReadLocked }

  @_alwaysEmitIntoClient
  var isHeldForWritingByCurrentThread: Bool { state.state().isWriteLocked(by: ThreadIdentity.current) }

  @_alwaysEmitIntoClient
  borrowing func checkFree(for primitive: @autoclosure () -> Primitive) {
    if !state.state().isUnlocked { primitive().trapDestroyed() }
  }

  // MARK: Bias

  /// Sets the bias: later readers may use slots.
  ///
  /// The caller must be a reader that is counted in the lock's word.
  borrowing func setBias() {
    state.setBitsRelaxed(ReadWriteState.biased)
  }

  /// Clears the bias: later readers are counted in the lock's word.
  ///
  /// The caller must be the writer, and no slot of the `SlotTable` may hold the lock's key.
  borrowing func clearBias() {
    state.clearBitsRelaxed(ReadWriteState.biased)
  }

  /// Releases the lock for a writer that gives up because readers are in slots.
  ///
  /// If other writers wait, the readers that this writer kept out stay out (invariant 5).
  borrowing func unlockAfterWritingInVain() {
    // The check and the change need not be one atomic operation: no thread clears `writersWaiting` while a
    // writer holds the lock.
    if state.state().has(ReadWriteState.writersWaiting) { state.setBitsRelaxed(ReadWriteState.writersFirst) }
    unlockAfterWriting()
  }

  // MARK: Trying

  /// Acquires the lock for reading if it need not wait; returns whether it has acquired the lock.
  borrowing func tryLockForReading() -> Bool {
    var state = state.state()
    while state.admitsNewReader {
      if self.state.enter(from: state, to: ReadWriteState(state.bits + 1)) { return true }
      state = self.state.state()
    }
    return false
  }

  /// Acquires the lock for writing if it need not wait; returns whether it has acquired the lock.
  borrowing func tryLockForWriting() -> Bool {
    let me = ThreadIdentity.current
    var state = state.state()
    while state.admitsWriter {
      if self.state.enterForWriting(from: state, to: Self.writing(state, by: me)) { return true }
      state = self.state.state()
    }
    return false
  }

  /// The state that follows `state` when the thread whose `ThreadIdentity` is `thread` acquires the lock for
  /// writing.
  private static func writing(_ state: ReadWriteState, by thread: UInt32) -> ReadWriteState {
    state.without(ReadWriteState.writersFirst | ReadWriteState.reserved)
      .with(ReadWriteState.writeLocked | thread)
  }

  // MARK: Slow paths

  /// Acquires the lock for reading, after a first attempt has failed.
  ///
  /// Returns `false` if the deadline passed first. Traps if the calling thread holds the lock for writing.
  @usableFromInline
  @inline(never)
  borrowing func lockForReadingSlow(until deadline: Deadline, for primitive: Primitive) -> Bool {
    if deadline == .passed { return tryLockForReading() }
    let me = ThreadIdentity.current
    var backoff = Backoff()
    // If the lock admits readers now, the first attempt has probably lost a race with another reader. Backing
    // off for some microseconds lets the winner run uncontended. If the attempt failed because of a writer
    // instead, backing off once costs no more than waiting.
    var hasCollided = state.state().admitsNewReader
    var hasSlept = false
    var isLate = false
    var wait = Probe.Wait(for: key, primitive, .read, heldBy: Self.holder)
    while true {
      if hasCollided {
        backoff.backOffAfterCollision()
        hasCollided = false
      }
      let state = state.state()
      if state.isWriteLocked(by: me) { primitive.trapReadInWrite() }
      if state.isFullOfReaders { primitive.trapTooManyReaders() }
      if hasSlept ? Self.admitsWaitingReader(state) : state.admitsNewReader {
        // If no writer waits, the sleeping readers may acquire the lock as well: this reader clears their
        // flags and wakes them.
        let opens = !state.has(ReadWriteState.writersWaiting)
        let others = ReadWriteState.readersWaiting | ReadWriteState.readersFirst
        let base = opens ? state.without(others) : state
        guard self.state.enter(from: state, to: ReadWriteState(base.bits + 1)) else {
          hasCollided = true
          continue
        }
        if opens, state.has(ReadWriteState.readersWaiting) { self.state.wake(count: .max) }
        return true
      }
      if !state.has(Self.anyWaiting), !isLate, backoff.spin() { continue }

      if wait.willSleep() { continue }
      var flags = ReadWriteState.readersWaiting
      if hasSlept, state.isWriteLocked { flags |= ReadWriteState.readersFirst }
      let waiting = state.with(flags)
      guard self.state.change(from: state, to: waiting) else { continue }

      // Giving up is safe, although the flags stay set: the thread that unlocks clears `readersWaiting`. It
      // also clears `readersFirst` if no reader sleeps.
      if isLate { return false }
      switch self.state.wait(while: waiting.bits, until: deadline) {
      case .timedOut: return false
      case .notWaited: isLate = deadline.hasPassed
      default: hasSlept = true
      }
      backoff = Backoff()
    }
  }

  private static let holder: HolderLookup = { key in
    borrow(CompactReadWriteCore.self, at: key) { core in
      let state = core.state.state()
      let number = UInt64(state.bits & ReadWriteState.countMask)
      return state.isReadLocked ? LockHolders.readers | number : number
    }
  }

  /// Acquires the lock for writing.
  ///
  /// Returns `false` if the deadline passed first. Traps if the calling thread holds the lock for writing.
  @usableFromInline
  @inline(never)
  borrowing func lockForWritingSlow(until deadline: Deadline, for primitive: Primitive) -> Bool {
    lockForWritingSlow(until: deadline, for: primitive, isServed: false)
  }

  /// The same for a thread for which the lock may be reserved.
  borrowing func lockForWritingSlow(
    until deadline: Deadline, for primitive: Primitive, isServed: Bool
  ) -> Bool {
    if deadline == .passed { return tryLockForWriting() }
    let me = ThreadIdentity.current
    var backoff = Backoff()
    var hasSlept = false
    var hasSetFlag = false
    var isLate = false
    var wait = Probe.Wait(for: key, primitive, heldBy: Self.holder)
    while true {
      let state = state.state()
      if state.isWriteLocked(by: me) { primitive.trapWriteInWrite() }
      if state.admitsWriter(isServed: isServed) {
        let locked = Self.writing(state, by: me)
        // The thread that woke this writer may have cleared `writersWaiting` while other writers sleep. So a
        // woken writer sets the flag.
        let desired = hasSlept ? locked.with(ReadWriteState.writersWaiting) : locked
        if self.state.enterForWriting(from: state, to: desired) { return true }
        continue
      }
      if !state.has(ReadWriteState.writersWaiting), !isLate, backoff.spin() { continue }

      if wait.willSleep() { continue }
      var flags = ReadWriteState.writersWaiting
      if hasSlept, state.isReadLocked { flags |= ReadWriteState.writersFirst }
      guard self.state.change(from: state, to: state.with(flags)) else { continue }
      if !state.has(ReadWriteState.writersWaiting) { hasSetFlag = true }

      let turn = turns.loadAcquiring()
      let now = self.state.state()
      guard !now.admitsWriter(isServed: isServed), now.has(ReadWriteState.writersWaiting) else { continue }
      switch isLate ? .timedOut : turns.wait(while: turn, until: deadline) {
      case .timedOut:
        // A writer that has neither set `writersWaiting` nor been woken is not responsible for the flag
        // (invariant 7), and leaves it as it is.
        if hasSetFlag || hasSlept { giveUpWriting() }
        return false
      case .notWaited: isLate = deadline.hasPassed
      default: hasSlept = true
      }
      backoff = Backoff()
    }
  }

  /// Hands on the flags of a responsible writer that gives up (invariant 7).
  ///
  /// This function wakes a sleeping writer, which becomes responsible. If no writer sleeps, it clears the
  /// flags and admits the readers that the calling writer kept out. While no reader holds the lock, it
  /// changes nothing: a writer that holds the lock handles the flags when it releases the lock; otherwise the
  /// thread in `passOn` handles them.
  private borrowing func giveUpWriting() {
    while true {
      let state = state.state()
      guard state.isReadLocked, state.has(ReadWriteState.writersWaiting) else { return }
      if turns.wake(count: 1) > 0 { return }
      let cleared = ReadWriteState(state.bits & (ReadWriteState.countMask | ReadWriteState.biased))
      guard self.state.change(from: state, to: cleared) else { continue }
      // After the first `wake` found no writer, another writer may have gone to sleep, relying on the flag
      // that is now clear. The new value of `turns` keeps further writers awake, and the second `wake`
      // wakes the sleeping one.
      turns.addReleasing(1)
      turns.wake(count: 1)
      if state.has(ReadWriteState.readersWaiting) { self.state.wake(count: .max) }
      return
    }
  }

  private static let anyWaiting = ReadWriteState.readersWaiting | ReadWriteState.writersWaiting

  private static func admitsWaitingReader(_ state: ReadWriteState) -> Bool {
    !state.isWriteLocked && !state.has(ReadWriteState.writersFirst | ReadWriteState.reserved)
      && (state.has(ReadWriteState.readersFirst) || !state.has(ReadWriteState.writersWaiting))
  }

  // MARK: Passing on

  /// Grants the next turn to readers or to writers.
  ///
  /// A thread must call this after it has released the lock, if flags are left in the state.
  ///
  /// A waiting writer keeps new readers out. So the readers that hold the lock release it, and the last one
  /// wakes a writer. If other readers acquire the lock before that writer runs, the writer sets
  /// `writersFirst`: after these readers the lock stays free for a writer. In the same way, a woken reader
  /// sets `readersFirst` if it finds that a writer holds the lock. When readers and writers wait together,
  /// writers go first, but every fourth turn is the readers'. Handing the lock over at every release would be
  /// fair and slow: the lock would be idle until the woken thread runs.
  ///
  /// This function uses both words after the lock is released. The words still exist then, because the
  /// unlocking function borrows the lock.
  ///
  /// Each iteration ends the loop, clears a flag, or finds that another thread has changed the state.
  ///
  /// - Parameters:
  ///   - leftBehind: The state that the release has left behind.
  ///   - afterWriting: Whether a writer released the lock. Only then can the turn be the readers' while
  ///     writers wait.
  @usableFromInline
  @inline(never)
  borrowing func passOn(_ leftBehind: ReadWriteState, afterWriting: Bool) {
    var state = leftBehind
    var mayFavourReaders = afterWriting
    while state.isUnlocked, state.hasFlags {
      if state.has(ReadWriteState.reserved) {
        // The flags stay: no other thread is admitted, and the served thread sees them when it releases the lock.
        turns.addReleasing(1)
        Probe.willWake(key)
        turns.wake(count: .max)
        return
      }
      if mayFavourReaders, !state.has(ReadWriteState.writersFirst), isReadersTurn(state) {
        let granted = state.without(ReadWriteState.readersWaiting).with(ReadWriteState.readersFirst)
        if self.state.change(from: state, to: granted) {
          turns.addReleasing(1)
          if wakeReaders() { return }
          // No reader was asleep, so don't favour the readers any more.
          mayFavourReaders = false
        }
      } else if state.has(ReadWriteState.readersFirst) {
        // The readers no longer go first: the last one has released the lock, or no reader has acquired it.
        _ = self.state.change(from: state, to: state.without(ReadWriteState.readersFirst))
      } else if state.has(ReadWriteState.writersFirst) {
        // `writersFirst` stays set until a writer acquires the lock, and keeps readers out until then. After
        // the change of `turns`, no writer goes to sleep on the old value.
        turns.addReleasing(1)
        if wakeWriter() { return }
        // No writer was asleep. The next iteration clears `writersWaiting`, and then increments `turns`.
        _ = self.state.change(from: state, to: state.without(ReadWriteState.writersFirst))
      } else if state.has(ReadWriteState.writersWaiting) {
        if self.state.change(from: state, to: state.without(ReadWriteState.writersWaiting)) {
          turns.addReleasing(1)
          if wakeWriter() { return }
        }
      } else if self.state.change(from: state, to: state.without(ReadWriteState.readersWaiting)) {
        _ = wakeReaders()
        return
      }
      state = self.state.state()
    }
  }

  // `wakeReaders` and `wakeWriter` record the release immediately before they wake, after the words have
  // changed. If the release were recorded before the change, threads that do not sleep yet would go to sleep
  // meanwhile.

  /// Wakes all sleeping readers; returns whether there were any.
  private borrowing func wakeReaders() -> Bool {
    Probe.willWake(key)
    return state.wake(count: .max) > 0
  }

  /// Wakes one sleeping writer, if there is one; returns whether there was one.
  private borrowing func wakeWriter() -> Bool {
    Probe.willWake(key)
    return turns.wake(count: 1) > 0
  }

  /// Whether the next turn after a write section is the readers', even if writers wait.
  private borrowing func isReadersTurn(_ state: ReadWriteState) -> Bool {
    if state.has(ReadWriteState.readersFirst) { return true }
    return state.has(ReadWriteState.readersWaiting) && state.has(ReadWriteState.writersWaiting)
      && turns.loadRelaxed() % Self.turnsPerReadersTurn == 0
  }
}
