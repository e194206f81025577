public import PlatformLocks

/// The algorithm of `CompactReadWriteLock`.
///
/// # Why
/// `pthread_rwlock_t` takes 56 bytes and prefers readers by default, which starves writers. This lock takes
/// two words, prefers writers, and bounds how often either side can be passed over. The shape (one word that counts and
/// flags, a second one for writers to sleep on) is that of the futex read/write lock in Rust's standard library; the
/// turns (`readersFirst`, `writersFirst`) and the trap on recursion are added here.
///
/// # State
/// `state` is a `ReadWriteState`; readers sleep on it. `turns` counts the turns that were given; writers sleep on it.
/// Because the sleepers are apart, a wake-up meant for a writer never goes to a reader.
///
/// # Who may enter
///
/// | who | when |
/// |---|---|
/// | a reader that just came | no writer is in and no flag is set |
/// | a reader that has slept | no writer is in, not `writersFirst`, and `readersFirst` or no writer waits |
/// | a writer | nobody is in and not `readersFirst` |
///
/// # Invariants
/// 1. Every change of `state` is a read-modify-write, and the one that makes a thread a holder expects a state that
///    admits it. Hence: one writer alone, or readers alone.
/// 2. A reader sleeps only while `state` is as it saw it with `readersWaiting` set. A writer sets `writersWaiting`,
///    reads `turns`, looks at `state` once more, and sleeps only while `turns` is what it read.
/// 3. Who leaves an unlocked state with flags behind runs `passOn`. It clears flags only in an unlocked state; if
///    somebody enters meanwhile it stops, for then that holder will see the remaining flags when it leaves. A writer
///    that was woken sets `writersWaiting` when it enters, or before it sleeps again or gives up, because its wake-up
///    may have cleared the flag for writers that still sleep.
/// 4. `readersFirst` is set while a writer is in, together with `readersWaiting`, or by `passOn`. In an unlocked state it
///    keeps writers out, so somebody must be about to enter or to clear it: `passOn` leaves it only if it woke a reader
///    that was asleep. That reader is admitted; it does not give up without looking. The last reader out clears the flag,
///    and so does a reader that enters while no writer waits.
/// 5. `writersFirst` is set only while readers are in, together with `writersWaiting`. A writer that enters clears it;
///    in an unlocked state `passOn` leaves it only if it woke a writer that was asleep. It never grants the readers a
///    turn in a state that has it: with both flags, each side would wait for the other.
/// 6. `writersWaiting` is cleared in an unlocked state only by a step that counts a turn afterwards, so that a writer
///    which relied on the flag does not go to sleep.
/// 7. While readers are in and no writer waits, no flag is set: readers wait for writers, never for one another. (In a
///    turn of the readers, `writersWaiting` may be set for a writer that no longer waits; then new readers wait until that turn
///    has ended.)
/// 8. At rest (no thread in any operation) `state` is 0.
///
/// # Turns: why nobody starves
/// A waiting writer keeps new readers out; the readers that are in leave; the last one wakes a writer. Readers may come
/// in before that writer runs. It then sets `writersFirst`, and at the next drain the lock waits for a writer. Symmetrically, a
/// reader that was woken and finds a writer in sets `readersFirst`, and after that writer the lock waits for a reader.
/// Readers and writers waiting together: writers first, but every fourth turn is the readers'. Handing over at
/// every opportunity instead would be fair and slow: the lock would stand idle until the woken thread runs.
///
/// # Readers that meet
/// Readers do not exclude one another, but all write one cache line, which travels between their processors at each step. A
/// reader that loses a compare-exchange race to another reader backs off for some microseconds. The winner then runs
/// uncontended, which doubles the throughput of both together. Where sections are long or rare, such collisions are rare.
///
/// # Memory ordering
/// Entering is an acquiring compare-exchange, leaving a releasing subtraction; changes of flags are relaxed
/// read-modify-writes, which continue the release sequence they fall into. `turns` is bumped with release
/// after the state changed, and read with acquire before the state is looked at: a writer that reads the new count
/// also sees the unlocked state (or a later one) and does not sleep on it.
///
/// # Lifetime
/// After the unlocking step `passOn` still uses both words. The lock has to outlive the call that unlocks it, which
/// borrowing it ensures.
///
/// # Deadlocks it permits
/// A read section in which the same thread asks for the write lock; a nested read section with a writer waiting; two
/// locks in opposite orders. Recursion of the writer traps.
///
/// `Tests/Models` has this algorithm as a model that is checked exhaustively.
@usableFromInline
struct CompactReadWriteCore: ~Copyable, Sendable {
  @usableFromInline
  let state: LockWord

  /// Stands at an offset of 4, from which `key` is computed.
  @usableFromInline
  let turns: LockWord

  @usableFromInline
  init(isBiased: Bool = false) {
    state = LockWord(isBiased ? ReadWriteState.biased : 0)
    turns = LockWord()
  }

  /// Every fourth turn given after a writer, with both sides waiting, is the readers'.
  private static let turnsPerReadersTurn: UInt32 = 4

  /// The lock's key.
  @inlinable
  @inline(__always)
  var key: UInt { turns.key(ofStructFrom: 4) }

  // MARK: Fast paths

  @inlinable
  @inline(__always)
  borrowing func lockForReading(for primitive: ReadWritePrimitive) {
    if !tryLockForReadingOnce(state.state()) {
      callOutOfLine(interlock_compact_read, key, UInt(primitive.rawValue))
    }
  }

  /// The fast path of entering a read section; it fails also when another reader was quicker.
  @inlinable
  @inline(__always)
  borrowing func tryLockForReadingOnce(_ state: ReadWriteState) -> Bool {
    state.admitsNewReaderUnbiased && self.state.enter(from: state, to: ReadWriteState(state.bits + 1))
  }

  @inlinable
  @inline(__always)
  borrowing func unlockAfterReading() {
    let state = ReadWriteState(self.state.subtractReleasing(1))
    if _slowPath(state.hasFlags) { callOutOfLine(interlock_compact_left_read, key, UInt(state.bits)) }
  }

  @inlinable
  @inline(__always)
  borrowing func lockForWriting(for primitive: ReadWritePrimitive) {
    if !tryLockForWritingOnce() { callOutOfLine(interlock_compact_write, key, UInt(primitive.rawValue)) }
  }

  /// The fast path of entering a write section, of a lock that is not biased.
  @inlinable
  @inline(__always)
  borrowing func tryLockForWritingOnce() -> Bool {
    state.enter(
      from: ReadWriteState(0), to: ReadWriteState(ReadWriteState.writeLocked | ThreadIdentity.current))
  }

  @inlinable
  @inline(__always)
  borrowing func unlockAfterWriting() {
    let locked = ReadWriteState.writeLocked | ThreadIdentity.current
    let state = ReadWriteState(self.state.subtractReleasing(locked))
    if _slowPath(state.hasFlags) { callOutOfLine(interlock_compact_left_write, key, UInt(state.bits)) }
  }

  @inlinable
  borrowing func checkFree(for primitive: ReadWritePrimitive) {
    if !state.state().isUnlocked { primitive.trapDestroyed() }
  }

  // MARK: Bias

  /// Lets readers into slots; the caller is counted as a reader.
  borrowing func setBias() {
    state.setBitsRelaxed(ReadWriteState.biased)
  }

  /// Keeps readers out of slots; the caller is the writer, and no reader is in a slot.
  borrowing func clearBias() {
    state.clearBitsRelaxed(ReadWriteState.biased)
  }

  // MARK: Trying

  /// Enters a read section unless it would have to wait.
  @usableFromInline
  borrowing func tryLockForReading() -> Bool {
    var state = state.state()
    while state.admitsNewReader {
      if self.state.enter(from: state, to: ReadWriteState(state.bits + 1)) { return true }
      state = self.state.state()
    }
    return false
  }

  /// Enters a write section unless it would have to wait.
  @usableFromInline
  borrowing func tryLockForWriting() -> Bool {
    let me = ThreadIdentity.current
    var state = state.state()
    while state.admitsWriter {
      if self.state.enterForWriting(from: state, to: Self.writing(state, by: me)) { return true }
      state = self.state.state()
    }
    return false
  }

  /// The state after `thread`, a writer, entered.
  private static func writing(_ state: ReadWriteState, by thread: UInt32) -> ReadWriteState {
    state.without(ReadWriteState.writersFirst).with(ReadWriteState.writeLocked | thread)
  }

  // MARK: Slow paths

  /// Enters a read section, after a first attempt has failed; `false` when the deadline passed first.
  @usableFromInline
  @inline(never)
  borrowing func lockForReadingSlow(until deadline: Deadline, for primitive: ReadWritePrimitive) -> Bool {
    let me = ThreadIdentity.current
    var backoff = Backoff()
    // Where nobody is in the way, another reader was quicker than the caller's first attempt. (Or a writer was in the way
    // then and has left since; nobody can tell, and backing off once costs no more than waiting for one.)
    var hasCollided = state.state().admitsNewReader
    var hasSlept = false
    var isLate = false
    while true {
      if hasCollided {
        backoff.backOffAfterCollision()
        hasCollided = false
      }
      let state = state.state()
      if state.isWriteLocked(by: me) { primitive.trapReadInWrite() }
      if state.isFullOfReaders { primitive.trapTooManyReaders() }
      if hasSlept ? Self.admitsWaitingReader(state) : state.admitsNewReader {
        // Where no writer waits, no reader has to: the others are let in as well.
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

      var flags = ReadWriteState.readersWaiting
      if hasSlept, state.isWriteLocked { flags |= ReadWriteState.readersFirst }
      let waiting = state.with(flags)
      guard self.state.change(from: state, to: waiting) else { continue }

      // Giving up leaves nothing behind: whoever unlocks clears `readersWaiting`, and clears `readersFirst` as well when
      // it finds nobody asleep.
      if isLate { return false }
      switch self.state.wait(while: waiting.bits, until: deadline) {
      case .timedOut: return false
      case .notWaited: isLate = deadline.hasPassed
      case .woken: hasSlept = true
      }
      backoff = Backoff()
    }
  }

  /// Enters a write section; `false` when the deadline passed first.
  @usableFromInline
  @inline(never)
  borrowing func lockForWritingSlow(until deadline: Deadline, for primitive: ReadWritePrimitive) -> Bool {
    let me = ThreadIdentity.current
    var backoff = Backoff()
    var hasSlept = false
    var isLate = false
    while true {
      let state = state.state()
      if state.isWriteLocked(by: me) { primitive.trapWriteInWrite() }
      if state.admitsWriter {
        let locked = Self.writing(state, by: me)
        // A writer that was woken answers for those still asleep (invariant 3).
        let desired = hasSlept ? locked.with(ReadWriteState.writersWaiting) : locked
        if self.state.enterForWriting(from: state, to: desired) { return true }
        continue
      }
      if !state.has(ReadWriteState.writersWaiting), !isLate, backoff.spin() { continue }

      var flags = ReadWriteState.writersWaiting
      if hasSlept, state.isReadLocked { flags |= ReadWriteState.writersFirst }
      guard self.state.change(from: state, to: state.with(flags)) else { continue }

      let turn = turns.loadAcquiring()
      let now = self.state.state()
      guard !now.admitsWriter, now.has(ReadWriteState.writersWaiting) else { continue }
      if isLate {
        giveUpWriting()
        return false
      }
      switch turns.wait(while: turn, until: deadline) {
      case .timedOut:
        giveUpWriting()
        return false
      case .notWaited: isLate = deadline.hasPassed
      case .woken: hasSlept = true
      }
      backoff = Backoff()
    }
  }

  /// Lets the readers in that a writer kept out which no longer waits.
  ///
  /// Nobody knows whether it was the only one: all are woken, and those that still want to write say so again. While
  /// a writer is in there is nothing to do; the flags will be looked at when it leaves.
  private borrowing func giveUpWriting() {
    while true {
      let state = state.state()
      guard state.isReadLocked, state.has(ReadWriteState.writersWaiting) else { return }
      let cleared = ReadWriteState(state.bits & (ReadWriteState.countMask | ReadWriteState.biased))
      guard self.state.change(from: state, to: cleared) else { continue }
      turns.addReleasing(1)
      turns.wake(count: .max)
      if state.has(ReadWriteState.readersWaiting) { self.state.wake(count: .max) }
      return
    }
  }

  private static let anyWaiting = ReadWriteState.readersWaiting | ReadWriteState.writersWaiting

  private static func admitsWaitingReader(_ state: ReadWriteState) -> Bool {
    !state.isWriteLocked && !state.has(ReadWriteState.writersFirst)
      && (state.has(ReadWriteState.readersFirst) || !state.has(ReadWriteState.writersWaiting))
  }

  // MARK: Passing on

  /// Gives the next turn, if the caller left behind an unlocked state with flags.
  ///
  /// Each round of the loop ends it, or takes a flag away, or found the state changed by somebody else.
  @inline(never)
  fileprivate borrowing func passOn(_ leftBehind: ReadWriteState, afterWriting: Bool) {
    var state = leftBehind
    var mayFavourReaders = afterWriting
    while state.isUnlocked, state.hasFlags {
      if mayFavourReaders, !state.has(ReadWriteState.writersFirst), isReadersTurn(state) {
        let granted = state.without(ReadWriteState.readersWaiting).with(ReadWriteState.readersFirst)
        if self.state.change(from: state, to: granted) {
          turns.addReleasing(1)
          if self.state.wake(count: .max) > 0 { return }
          // Nobody was asleep to take the turn.
          mayFavourReaders = false
        }
      } else if state.has(ReadWriteState.readersFirst) {
        // The turn is over: its last reader has left, or nobody took it.
        _ = self.state.change(from: state, to: state.without(ReadWriteState.readersFirst))
      } else if state.has(ReadWriteState.writersFirst) {
        // The flags stay until a writer enters, and keep readers out till then.
        turns.addReleasing(1)
        if turns.wake(count: 1) > 0 { return }
        // Nobody was asleep. The next round clears `writersWaiting`, and counts a turn after that.
        _ = self.state.change(from: state, to: state.without(ReadWriteState.writersFirst))
      } else if state.has(ReadWriteState.writersWaiting) {
        if self.state.change(from: state, to: state.without(ReadWriteState.writersWaiting)) {
          turns.addReleasing(1)
          if turns.wake(count: 1) > 0 { return }
        }
      } else if self.state.change(from: state, to: state.without(ReadWriteState.readersWaiting)) {
        self.state.wake(count: .max)
        return
      }
      state = self.state.state()
    }
  }

  /// After a write section: whether readers are next although writers may be waiting.
  private borrowing func isReadersTurn(_ state: ReadWriteState) -> Bool {
    if state.has(ReadWriteState.readersFirst) { return true }
    return state.has(ReadWriteState.readersWaiting) && state.has(ReadWriteState.writersWaiting)
      && turns.loadRelaxed() % Self.turnsPerReadersTurn == 0
  }
}

// MARK: Slow paths beside inlined fast paths

@c
@usableFromInline
func interlock_compact_read(_ key: UInt, _ primitive: UInt) -> UInt {
  borrow(CompactReadWriteCore.self, at: key) { core in
    core.lockForReadingSlow(until: .never, for: ReadWritePrimitive(rawValue: UInt8(primitive))) ? 1 : 0
  }
}

@c
@usableFromInline
func interlock_compact_write(_ key: UInt, _ primitive: UInt) -> UInt {
  borrow(CompactReadWriteCore.self, at: key) { core in
    core.lockForWritingSlow(until: .never, for: ReadWritePrimitive(rawValue: UInt8(primitive))) ? 1 : 0
  }
}

@c
@usableFromInline
func interlock_compact_left_read(_ key: UInt, _ state: UInt) -> UInt {
  borrow(CompactReadWriteCore.self, at: key) {
    $0.passOn(ReadWriteState(UInt32(state)), afterWriting: false)
  }
  return 0
}

@c
@usableFromInline
func interlock_compact_left_write(_ key: UInt, _ state: UInt) -> UInt {
  borrow(CompactReadWriteCore.self, at: key) {
    $0.passOn(ReadWriteState(UInt32(state)), afterWriting: true)
  }
  return 0
}
