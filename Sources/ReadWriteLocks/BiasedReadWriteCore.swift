public import InterlockCore
internal import InterlockWaits

/// The algorithm of `BiasedReadWriteLock`.
///
/// # Why
/// Readers of a counting lock all write one cache line, which travels between their processors. Here a reader
/// publishes the lock's key in a slot of its own (`SlotTable`). Writers are rare, and scan the slots. This is
/// BRAVO (Dice and Kogan, 2019) with two changes. The bias is a bit of the lock's own word, so that one word
/// decides which threads are admitted. A writer clears the bias only if `account` finds that worthwhile.
///
/// # State
/// - `central`: a `CompactReadWriteCore`. Writers hold this lock. Readers without a slot hold it as well:
///   these readers are *counted*. Its word has an additional bit, `biased`, which admits readers to slots.
///   The word's *flags* show that a writer holds `central` or that threads wait.
/// - `slotWaiter`: 1 while a writer sleeps on this word, or is about to, until no slot holds the key. The
///   reader that wakes the writer resets the word to 0, and so does a writer that stops waiting.
/// - `writes`, `account`: the policy that sets and clears the bias. It affects only speed.
/// - In the `SlotTable`: the lock's key, for each reader in a slot. In each thread's `ThreadRecord`: the keys
///   of the locks that the thread holds for reading, its held-lock entries. Those beyond eight are in a list.
///
/// # Steps
///
///     reader                                        writer
///     R1  is the word biased, without flags?        W1  central: from unlocked to write-locked
///         no: if biased, spins; acquires central    W2  is the word biased? no: holds the lock
///     R2  slot: from vacant to key                  W3  no slot holds the key? then W6
///     R3  is the word biased, without flags?        W4  spins, and repeats W3 meanwhile; then
///         no: R5 and R6, and again from R1              slotWaiter = 1, and W3 once more
///     R4  holds the lock                            W5  sleeps while slotWaiter is 1, at first for at most
///     R5  slot = vacant                                 1 ms; again from slotWaiter = 1 in W4
///     R6  flags in the word, and slotWaiter is 1?   W6  slotWaiter = 0; holds the lock
///         then slotWaiter = 0; wakes the writer     W7  central: unlock, with the bias unchanged
///
/// A reader that finds no vacant slot at R2 acquires central, too. A counted reader may set the bias while it
/// acquires the lock. A writer that has not set slotWaiter may clear the bias at W6.
///
/// # Invariants
/// 1. The bias is set by a counted reader, and cleared by a thread that holds central for writing.
/// 2. A reader in a slot holds the lock only from R3 to R5, and only if R3 saw the bias and no flags.
/// 3. The thread that filled a slot vacates it, in the same scope. The lock outlives its sections, because
///    they borrow it. So each key in a slot belongs to a live lock.
///
/// # Exclusion
/// This is Dekker's pattern. R2, R3, W1 and W3 are sequentially consistent, so they have one total order. If
/// R3 comes before W1, so does R2, and W3 finds the slot unless R5 has vacated it. If R3 comes after W1, it
/// sees a write-locked word or a later one. In a later word, the bias without flags means that the writer has
/// released the lock. A writer that finds no bias at W2 need not scan: the writer that cleared the bias
/// (invariant 1) had waited until no slot held the key, and each R3 since then has failed. The fast path of
/// W1 expects a word without the bias, so acquire ordering suffices for it.
///
/// # Memory ordering, and waking
/// R5 releases and W3 acquires: a writer sees what readers did. W7 releases and R3 acquires: a reader sees what writers
/// did. Other changes of the word are read-modify-writes, which continue the release sequence. On x86-64, R2 is a
/// locked instruction, R3 a plain load and R5 a plain store. On arm64, R2 is `casal`, R3 `ldar` and R5 `stlr`. An
/// `ldar` waits for earlier releasing stores, and the store of a `casal` is one. No barrier separates R5 from the load
/// of R6, so R6 may miss a writer that goes to sleep. The writer scans again after a millisecond, when R5 is long
/// visible. The reader of a slot that still holds the key runs R6 later, and sees that slotWaiter is 1. So each further
/// sleep is twice as long; it is bounded, because no rule says how soon R5 is visible.
///
/// # Fairness, and the deadlocks it permits
/// The fairness is that of `CompactReadWriteLock`: a waiting writer sets a flag or holds central, which keeps
/// later readers out of slots, too. A thread's record shows the locks that it holds for reading. So a nested
/// read is admitted immediately, and a write inside a read traps. Two locks in opposite orders deadlock.
@usableFromInline
@frozen
struct BiasedReadWriteCore: ~Copyable, Sendable {
  @usableFromInline
  let central: CompactReadWriteCore

  @usableFromInline
  let writes = LockWord()

  let slotWaiter = LockWord()
  private let account: BiasAccount

  @usableFromInline
  init(bias: ReaderBias) {
    central = CompactReadWriteCore(isBiased: bias == .slots)
    account = BiasAccount(adapts: bias == .adaptive)
  }

  // MARK: Fast paths

  @_alwaysEmitIntoClient
  @_transparent
  var key: UInt { central.key }

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func lockForReading() -> ReadSection {
    let record = ThreadRecord.current
    let firstEntry = record[entry: 0]
    if _fastPath(ThreadRecord.isVacantWithoutSample(firstEntry)) {
      let state = central.state.state()
      guard _fastPath(state.admitsReaderInSlot) else {  // R1
        if _fastPath(central.tryLockForReadingOnce(state)) {
          record[entry: 0] = key
          return ReadSection(path: .counted(entry: 0), record: record, firstEntry: firstEntry)
        }
        let path = ReadPath(bits: callOutOfLine(interlock_biased_read_counted, key))
        return ReadSection(path: path, record: record, firstEntry: firstEntry)
      }
      let slot = record.slot
      if _fastPath(slot.fill(with: key)) {  // R2
        if _fastPath(central.state.stateSequentiallyConsistent().admitsReaderInSlot) {  // R3
          record[entry: 0] = key
          return ReadSection(path: .inSlot(slot, entry: 0), record: record, firstEntry: firstEntry)
        }
        slot.vacate()
      }
    }
    let path = ReadPath(bits: callOutOfLine(interlock_biased_read, key))
    return ReadSection(path: path, record: record, firstEntry: ThreadRecord.counter(after: firstEntry))
  }

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func unlockAfterReading(_ section: ReadSection) {
    let path = section.path
    if _fastPath(path.isInSlotWithFirstEntry) {
      section.record[entry: 0] = section.firstEntry &- 1
      path.slot.vacate()  // R5
      // Step R6 of the header: a flag may mean that a writer sleeps until slots are vacant.
      if _slowPath(central.state.state().hasFlags) { callOutOfLine(interlock_biased_left_slot, key) }
    } else if path == .counted(entry: 0) {
      central.unlockAfterReading()
      section.record[entry: 0] = section.firstEntry &- 1
    } else {
      callOutOfLine(interlock_biased_unlock, key, path.bits)
    }
  }

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func lockForWriting() {
    if _slowPath(ThreadRecord.current.isReading) { callOutOfLine(interlock_biased_check_not_reading, key) }
    if !central.tryLockForWritingOnce() { callOutOfLine(interlock_biased_write, key) }
    writes.storeRelaxed(writes.loadRelaxed() &+ 1)
  }

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func unlockAfterWriting() {
    central.unlockAfterWriting()
  }

  // MARK: Trying, and timed forms

  borrowing func lockForReading(until deadline: Deadline, for primitive: Primitive) -> ReadSection? {
    let record = ThreadRecord.current
    let firstEntry = ThreadRecord.counter(after: record[entry: 0])
    return lockForReadingSlow(until: deadline, for: primitive)
      .map { ReadSection(path: $0, record: record, firstEntry: firstEntry) }
  }

  borrowing func lockForWriting(
    until deadline: Deadline, for primitive: Primitive, isServed: Bool = false
  ) -> Bool {
    if ThreadRecord.current.lists(key) {
      // Waiting would deadlock: the calling thread would wait for its own read section. An attempt does not
      // wait, and just fails.
      if deadline != .passed { primitive.trapWriteInRead() }
      return false
    }
    guard lockForWritingSlow(until: deadline, for: primitive, isServed: isServed) else { return false }
    writes.storeRelaxed(writes.loadRelaxed() &+ 1)
    return true
  }

  // MARK: Reading, slow path

  /// Acquires the lock for reading.
  ///
  /// Returns `nil` if the lock was not acquired before `deadline`.
  borrowing func lockForReadingSlow(until deadline: Deadline, for primitive: Primitive) -> ReadPath? {
    let record = ThreadRecord.current
    // The fast path may have filled a slot for a moment. A writer that saw this slot may now sleep until no
    // slot holds the lock's key, so wake it.
    wakeWriterWaitingForSlots()
    if record.lists(key) { return .nested }
    guard let entry = record.firstVacantEntry else {
      guard enterCentral(until: deadline, for: primitive, isSample: false) else { return nil }
      record.addFurther(key)
      return .countedWithoutEntry
    }
    // While the first entry of the record is vacant, it holds a countdown to the next sampled read. During a
    // nested read, the outermost read occupies the entry. So nested reads are sampled at random.
    let isSample = entry == 0 ? record.isSampleDue : UInt(Ticks.now) % ThreadRecord.readsPerSample == 0
    if let slot = enterSlot(record, entry: entry, mayWait: deadline != .passed) {
      record[entry: entry] = key
      if isSample { _ = account.sample(inSlot: true, writes: writes.loadRelaxed(), now: Ticks.now) }
      return .inSlot(slot, entry: entry)
    }
    guard enterCentral(until: deadline, for: primitive, isSample: isSample) else { return nil }
    record[entry: entry] = key
    return .counted(entry: entry)
  }

  /// Acquires the lock for reading, after the fast path has failed to count the reader in the lock's word;
  /// returns the reader's token.
  ///
  /// The calling thread's `ThreadRecord` must list no lock.
  borrowing func lockForReadingCounted(for primitive: Primitive) -> ReadPath {
    let state = central.state.state()
    if state.isBiased { return lockForReadingSlow(until: .never, for: primitive)! }
    _ = central.lockForReadingSlow(until: .never, for: primitive)
    ThreadRecord.current[entry: 0] = key
    return .counted(entry: 0)
  }

  /// Acquires the lock for reading by publishing its key in a slot.
  ///
  /// Returns `nil` when the lock is not biased, when no slot is vacant, or when a writer does not release the
  /// lock within a short spin. If `mayWait` is `false`, the function does not spin.
  ///
  /// - Parameter entry: The index of the vacant entry of `record` in which the caller will list the lock.
  private borrowing func enterSlot(_ record: ThreadRecord, entry: Int, mayWait: Bool) -> Slot? {
    var backoff = Backoff(firstPauses: 1)
    while true {
      let state = central.state.state()
      if state.admitsReaderInSlot {
        var first = record.slot
        defer { record.slot = first }
        // Step R2 of the header: fills a vacant slot with the lock's key.
        guard let slot = SlotTable.readers.publish(key, in: &first, isNested: entry > 0) else { return nil }
        if central.state.stateSequentiallyConsistent().admitsReaderInSlot {  // R3
          return slot
        }
        slot.vacate()
        wakeWriterWaitingForSlots()
      }
      guard mayWait, state.isBiased, !state.isWriteLocked(by: ThreadIdentity.current) else { return nil }
      guard backoff.spin() else { return nil }
    }
  }

  /// Acquires the lock for reading by counting the reader in the word of `central`.
  ///
  /// Returns `false` if the lock was not acquired before `deadline`.
  ///
  /// - Parameter isSample: Whether this read is a sample for `BiasAccount`.
  private borrowing func enterCentral(
    until deadline: Deadline, for primitive: Primitive, isSample: Bool
  ) -> Bool {
    let state = central.state.state()
    if state.admitsNewReader, central.state.enter(from: state, to: ReadWriteState(state.bits + 1)) {
      if isSample, !state.isBiased { sampleCountedRead() }
      return true
    }
    return central.lockForReadingSlow(until: deadline, for: primitive)
  }

  /// Samples a counted read, and sets the bias if `account` finds that worthwhile.
  ///
  /// The calling thread must hold the lock as a reader that is counted in the word of `central`.
  private borrowing func sampleCountedRead() {
    let isWorthIt = account.sample(inSlot: false, writes: writes.loadRelaxed(), now: Ticks.now)
    if isWorthIt, account.adapts { central.setBias() }
  }

  @inline(never)
  borrowing func unlockAfterReadingSlow(_ path: ReadPath) {
    if path.isNested { return }
    if let entry = path.entry {
      ThreadRecord.current[entry: entry] = 0
    } else {
      ThreadRecord.current.removeFurther(key)
    }
    if path.isCounted {
      central.unlockAfterReading()
    } else {
      path.slot.vacate()
      wakeWriterWaitingForSlots()
    }
  }

  /// Wakes the writer that sleeps until no slot holds the lock's key, if there is such a writer.
  @inline(never)
  borrowing func wakeWriterWaitingForSlots() {
    if slotWaiter.loadRelaxed() != 0, slotWaiter.exchangeReleasing(0) != 0 {
      Probe.willWake(key)
      slotWaiter.wake(count: 1)
    }
  }

  // MARK: Writing, slow path

  /// Acquires the lock for writing.
  ///
  /// Returns `false` if the lock was not acquired before `deadline`.
  borrowing func lockForWritingSlow(
    until deadline: Deadline, for primitive: Primitive, isServed: Bool = false
  ) -> Bool {
    if !central.tryLockForWriting() {  // W1
      guard deadline != .passed,
        central.lockForWritingSlow(until: deadline, for: primitive, isServed: isServed)
      else { return false }
    }
    // Step W2 of the header: without the bias, no reader holds the lock through a slot.
    if !central.state.state().isBiased || waitForSlots(until: deadline, for: primitive) {
      return true
    }
    central.unlockAfterWritingInVain()
    return false
  }

  /// Waits until no slot of the `SlotTable` holds the lock's key.
  ///
  /// The caller must hold `central` for writing, and the lock must be biased. Returns `false` if a slot still
  /// holds the key at `deadline`.
  private borrowing func waitForSlots(until deadline: Deadline, for primitive: Primitive) -> Bool {
    if SlotTable.readers.contains(key) {  // W3
      if deadline == .passed { return false }
      var backoff = Backoff(firstPauses: 1)
      repeat {
        if !backoff.spin() { return sleepUntilSlotsAreVacant(until: deadline, for: primitive) }
      } while SlotTable.readers.contains(key)
    }
    // In an exploration, time stands still. So that it covers changes of the bias, each revocation ends it.
    let ends = account.endsBias(writes: writes.loadRelaxed()) || ExploredThreads.current != nil
    if ends, account.adapts { central.clearBias() }  // W6
    return true
  }

  private borrowing func sleepUntilSlotsAreVacant(until deadline: Deadline, for primitive: Primitive) -> Bool
  {
    defer { slotWaiter.storeRelaxed(0) }
    var wait = Probe.Wait(for: key, primitive, heldBy: { _ in LockHolders.readers })
    var longestSleep = SlotTable.missedWakeUpBound
    var endOfSleep = Deadline.never
    while true {
      let wasSet = slotWaiter.exchangeSequentiallyConsistent(1) == 1  // W4
      if !SlotTable.readers.contains(key) { return true }
      if deadline.hasPassed { return false }
      if wait.willSleep() { continue }
      // W5. The sleep has ended early if a reader or a signal has ended it.
      let isSeen = wasSet && endOfSleep.hasPassed
      longestSleep = isSeen ? min(longestSleep * 2, .milliseconds(100)) : SlotTable.missedWakeUpBound
      endOfSleep = deadline.butNotLater(than: longestSleep)
      slotWaiter.wait(while: 1, until: endOfSleep)
    }
  }

  // MARK: Traps

  @inline(never)
  borrowing func checkNotReading(for primitive: Primitive) {
    if ThreadRecord.current.lists(key) { primitive.trapWriteInRead() }
  }
}
