public import PlatformLocks
internal import Synchronization

/// The algorithm of `BiasedReadWriteLock`.
///
/// # Why
/// Entering and leaving a read section of a counting lock are two atomic read-modify-writes of a line that all readers
/// write: 9 ns alone, and several times that with a second reader, because the line travels between the processors. Yet two
/// readers have nothing to tell each other. Here a reader writes down, on a line of its own, which lock it reads, and a writer,
/// which is rare, looks at the lines of all threads. Where writes are rarer still, it pays for the readers' memory barriers as
/// well. The idea of biasing a lock towards its readers, and back when writers come, is that of BRAVO (Dice and Kogan,
/// 2019); the barrier that only the writer pays for is that of asymmetric Dekker synchronisation, as in userspace RCU and
/// in folly's `SharedMutex`-like hazard pointers.
///
/// # State
/// - `mode`: where readers go. `central`: to the central lock. `entryFenced`, `asymmetric` or `fenced`: to their slots.
///   `draining`: to the central lock, while some that used a slot may still be in. `resuming`: to the central lock, and the
///   first of them starts a bias.
/// - `central`: a `CompactReadWriteCore`. Every writer holds it for writing; readers without a slot hold it for reading.
/// - `drained`: a bit `isAsleep` (the writer that drains sleeps on this word, or is about to) and a count of reports.
/// - `readsInRow`, `patience`, `fencePatience`, `biasedSince`: the policy, see below. They affect speed alone.
/// - In each thread's `ReaderRecord`: this lock's anchor (its address less 16), for a reader in a slot; the anchor plus one, for a
///   reader of this thread in the central lock, which writers ignore. When the thread is in no section there, the slot is
///   `vacant`, or, slot 0 alone, a hint of this lock: it was in the central lock last, and left it free, with nobody in it and
///   nobody waiting.
///
/// # Entering and leaving
///
///     reader                                        writer
///                                                   W1  lock central for writing
///     R2  slot = anchor                             W2  mode = central or resuming? then in
///     R3  light barrier                             W3  mode = draining
///     R4  mode == asymmetric? then R5               W4  was it asymmetric? then heavy barrier
///         mode == entryFenced? then E1              W5  no slot holds anchor? then W9
///         else R6, central                          W6  drained |= isAsleep; heavy barrier if none since W3
///     E1  slot = anchor, with a full barrier        W7  no slot holds anchor? then W9
///     E2  mode == entryFenced? else R6, central     W8  sleep while drained is unchanged; again from W5
///     R5  in                                        W9  mode = central or resuming; in
///     R6  slot = vacant
///     R7  light barrier
///     R8  mode == draining? then
///         drained += report; wake if isAsleep
///
/// `entryFenced` is for loads that write now and then: a reader pays for a barrier on its own line, 10 ns instead of 3, and a
/// writer for a look at all slots, 0.1 µs, instead of an interrupt, up to 12 µs on a virtual machine.
///
/// In central mode, which a load that writes often stays in, R4 does not lead to R6 but, unless a report is due (see the
/// policy), to an attempt to enter the central lock, with the anchor still in the slot:
///
///     C1  central from free or read to read by one more? else R6, central
///     C2  slot = anchor + 1
///     C3  in
///     C4  leave central
///     C5  slot = is it free now, and no report due? then the hint, else vacant
///
/// With a hint in its slot a reader begins at C1, with C2 before it; it tries only from free, without a look at the lock, and
/// when that fails it goes on at R2. To look at the mode or the state first would fetch the line to be read and, at C1, once more
/// to be written: with two threads that read nine times in ten that was 35 instead of 41 million sections in a second. Where
/// readers overlap the look is of use; there C5 leaves no hint. Nor is one left by a reader that has found a bias on after R6.
/// A hint says where to look first, and never what is held.
///
/// # Invariants
/// 1. `mode` becomes `entryFenced`, `asymmetric` or `fenced` only in `startBias`, by a thread that holds `central` for
///    reading: no writer is between W1 and the end of its section. It leaves them only in W3, under `central` held
///    for writing, except that a reader in a slot may change `entryFenced` to `asymmetric`, with a compare-exchange: W3,
///    an exchange, sees whether it was in time, and W4 follows or not.
/// 2. While `mode` is `central` or `resuming`, no slot holds the anchor, except for a reader between R2 and R6 that won't
///    enter, or between R2 and C2, which is in only when it holds the central lock.
/// 3. A writer is in only when `mode` is `central` or `resuming`. A writer that gives up while it drains leaves `mode` as
///    `draining`, and lets `central` go: the next writer drains again; the next `startBias` takes the slots as they are. Those
///    are visible: W4 came before, or E1 did.
/// 4. At most one thread drains: it holds `central` for writing.
///
/// # Exclusion: R2–R4 against W3–W5, E1–E2 against W3–W5
/// This is Dekker's pattern: each side stores and then loads what the other stores; at least one must see the
/// other. The heavy barrier makes every running thread of the process execute a full barrier between W3 and W5 (and
/// threads that are not running executed one when they were switched out). A reader executes it either after R2:
/// then its slot is visible at W5, and the writer waits; or before R2, and so before R4: then R4 sees `draining`, or
/// what later threads made of it. The light barrier keeps the compiler from moving R4 before R2; the processor may
/// still do so, and both cases above cover it: they only speak of where the full barrier falls.
///
/// - x86-64: stores are delayed in the store buffer, the one reordering that matters here; the interrupt that
///   membarrier sends drains it.
/// - arm64: R2 is `stlr`, R4 `ldar`; an order that the architecture may give them is not relied on. The
///   section's accesses stay behind R4 (acquire) and before R6 (release); the writer's stay behind W5 and W7 (the slots
///   are loaded with sequential consistency, hence acquire).
/// - E1, E2, W3 and W5 are sequentially consistent, E1 and W3 exchanges: there Dekker's pattern holds by the language's
///   memory model. A reader that has seen `entryFenced` in R4 is not in before E2 says so.
/// - In `fenced` mode, where there is no membarrier, the R2 and R6 that count are sequentially consistent exchanges, R4 and
///   R8, W3, W5 and W7 sequentially consistent accesses; then both patterns hold by the language's memory model, without
///   a heavy barrier.
/// - The plain store that a fast path made before E1, or before R2 in `fenced` mode, is followed by that exchange before
///   anything depends on it, or by C2, and then nothing does.
///
/// # What a reader sees, and a writer
/// A reader that enters in R4 or E2 has read, with acquire, a `mode` that `startBias` stored with release while it held
/// `central`, after every earlier writer had released it; or what a reader made of that with release, having read it so. A
/// writer that finds a slot empty, or with another value, reads with acquire what its owner stored with release after the
/// section (slots are only ever stored with release or stronger).
/// ThreadSanitizer checks exactly these pairs.
///
/// # Sleeping: why a leaving reader can't miss the writer
/// A writer that sleeps has seen the slot full in W7, after a heavy barrier that came after W3: that of W4 or, where there was
/// none because readers publish with a barrier or another writer gave up, that of W6. The leaving reader executed it before
/// R6, then R8 sees `draining`; or after it, and then W7 saw the slot empty. So the reader reports. Its report and W6 are
/// read-modify-writes of one word: if the report is first, W6 reads it, and W7 sees the slot empty; if W6 is first, the
/// reader sees `isAsleep` and wakes the writer, or the kernel sees the changed word and doesn't let it sleep.
///
/// # Stale slots
/// A slot is emptied by the thread that filled it, at the end of the same scope, whether that returns or throws;
/// threads end outside all scopes; the lock outlives its sections, because they borrow it. So an anchor in a slot is
/// always that of a living lock, and a lock made later at the same address finds none of the earlier one.
/// (`deinit` can't look for slots: there the value has been moved, and the anchor with it.) A hint may be that of an
/// earlier lock; whoever follows it enters the central lock of the later one or does not, like any other reader. Nobody
/// searches for hints: that lock may have made way for a lifecycle.
///
/// # C1 to C5
/// A reader that has passed C1 holds the central lock, and nobody drains until C4. At C2 it overwrites an anchor that nobody
/// waits for: a writer that saw it before C1 drained then, and has given up. A reader that comes from R4 and fails
/// at C1 has its anchor seen, perhaps, by the writer that made it fail; it goes on at R6, which reports. What C5 replaces after
/// C4 means nothing to others.
///
/// # Recursion
/// A thread's own record says what it holds, in every mode. Reading again just enters; writing while reading traps.
/// The central lock knows its writer: reading or writing while writing traps. Only a ninth lock read at once by one
/// thread is not noted; for that one, recursion is as with `CompactReadWriteLock`.
///
/// # `fork`
/// The child has one thread and copies of all records: those of vanished threads stay as they were, and a writer in the child
/// waits for ever for a reader that does not exist, as with any lock that was held at the time. Between `fork` and `exec`,
/// use no locks.
///
/// # Policy
/// Three ways to read, each dearer for the reader and cheaper for the next writer than the one before: `asymmetric` (3 ns, and an
/// interrupt to every other processor that runs a thread of the process: 0.2 to 12 µs), `entryFenced` (10 ns, and a look at all
/// slots: 0.1 to 0.6 µs, and the readers that are turned away meanwhile), `central` (18 ns alone, 25 to 50 with a second
/// reader, and nothing). Which one pays depends on how many reads there are until the next write. No fast path counts
/// asymmetric reads or reads a clock. What is known instead: how many reads in a row were `central` or `entryFenced`
/// (`readsInRow`, approximate), how long the last bias lasted and how long its end took (in processor ticks, read when it
/// starts and ends).
///
/// - A bias starts after `patience` reads in a row without a write. A load with many writes does not have such rows.
///   Every thread counts its central reads for itself, and looks for rows: it reports once, which begins a row if there is none,
///   and seven reads later once more, which finds that row or a write since. In a row it goes on like that. A look in vain is
///   followed by a pause: the next one begins 19 reads after it did, then 37, and so on up to 577; a row of 24 reads brings the
///   short pauses back. A report adds the reads since the last one to the row, but 19 at most, and seven where it begins the row.
///   Where there are no rows, looking for them after every eighth read cost 6 % of the sections. A thread with a report due looks
///   at the mode, so that it finds the bias that others have started.
/// - It starts as `entryFenced`. Such a bias was worth it if it lasted longer than half of what looking through the slots took and
///   0.4 µs, for which readers that are turned away stay away: a read in it saves twice its time or more. Then `patience` is
///   halved; otherwise doubled. Where no thread has reported its reads, and so nobody knows that there were some, a quarter is
///   added: a row of a hundred reads has one or two reports, one of three reads every twentieth time.
/// - With a patience from 32 to 128 a bias is resumed after the write: the first reader that looks at the mode goes through the
///   central lock and starts the next one at once, without a row. With one write in 100 reads that made 28 million sections
///   in a second 60 (two threads). Three ends in vain, or writes with no read between them, and patience is at 256: then
///   readers stay central until a row of 256. A report that finds a row of 32 or more, too short for the present
///   patience, lowers that a little, so that a bias is tried again some tens of rows later.
/// - After `fencePatience` reads in a row, of which all threads report each 61st, the bias becomes `asymmetric`: from 128, for an
///   interrupt that finds no other thread running, to 2048, as then the barriers cost as much as an interrupt. It was worth it if
///   readers did without barriers for half as long as its end took. Where that is so `fencePatience` is halved, otherwise doubled.
///   Such a bias is always resumed.
/// - Least patience 32: starting and ending costs about as much as that many reads save. Most 4096: about 0.1 ms of
///   reads until a load that has become read-mostly is noticed.
/// - Where no other thread has a record there is nobody to interrupt: a bias is `asymmetric` at once, ending it costs about as
///   much as two or three reads save, is always worth it, and patience goes down to 24. Not further: a load with a write after
///   every nine reads had its bias start at the end of each row and paid more for it than it saved.
///
/// # Fairness, and the deadlocks it permits
/// Writers and central readers: as `CompactReadWriteLock`. A writer keeps new slot readers out from W3 on, so it waits
/// only for those that are in. Deadlocks: two locks in opposite orders; a section that waits for a thread which waits for the
/// lock.
///
/// `Tests/Models` has this algorithm as a model that is checked exhaustively.
@usableFromInline
struct BiasedReadWriteCore: ~Copyable, Sendable {
  // The order is that of memory: `mode`, which every reader looks at, and what readers and writers in the central lock
  // write stand in the first 16 bytes, on one cache line where the lock begins at a multiple of 16, as in a protector: in
  // central mode a section needs that line anyway. (While readers use slots it is written only by a writer, which is
  // about to change `mode`, by readers that have no slot left, by those that came in before, and, as long as readers
  // enter with a barrier, by each thread with every 61st of its reads.) What a protector guards is mostly on another line,
  // so that who comes does not take it away from who is in.

  /// The first one: its anchor is the lock's.
  @usableFromInline
  let mode: LockWord

  @usableFromInline
  let central = CompactReadWriteCore()

  /// Reads through the central lock, or a slot with a barrier, since the last write; approximate, as readers count
  /// without excluding one another.
  @usableFromInline
  let readsInRow = LockWord()

  /// Stands at an offset of 16, from which `anchor` is computed.
  @usableFromInline
  let drained = LockWord()

  /// How many reads without a write between them it takes to let readers into slots.
  let patience: LockWord

  /// How many reads without a write between them it takes to let readers do without a barrier.
  let fencePatience = LockWord(BiasPolicy.leastFencePatience)

  /// When readers were last let into slots, in ticks.
  private let biasedSince = Atomic<UInt64>(0)

  /// The mode in which readers use slots: `Mode.central` for a lock that never lets them.
  @usableFromInline
  let biasedMode: UInt32

  private let isAdaptive: Bool

  @usableFromInline
  init(bias: ReaderBias) {
    isAdaptive = bias == .adaptive
    switch bias {
    case .central: biasedMode = Mode.central
    case .fenced: biasedMode = Mode.fenced
    case .entryFenced, .adaptive: biasedMode = AsymmetricFence.isAvailable ? Mode.entryFenced : Mode.fenced
    case .asymmetric: biasedMode = AsymmetricFence.isAvailable ? Mode.asymmetric : Mode.fenced
    }
    mode = LockWord(Mode.central)
    patience = LockWord(isAdaptive ? BiasPolicy.leastPatience : 1)
  }

  /// The values of `mode`.
  @usableFromInline
  enum Mode {
    /// All readers use the central lock.
    @inlinable
    static var central: UInt32 { 0 }
    /// New readers use the central lock; some that use a slot may still be in.
    @inlinable
    static var draining: UInt32 { 1 }
    /// Readers use slots, published and emptied with a full barrier.
    @inlinable
    static var fenced: UInt32 { 2 }
    /// Readers use slots, published and emptied with a plain store.
    @inlinable
    static var asymmetric: UInt32 { 3 }
    /// Readers use slots, published with a full barrier and emptied with a plain store.
    @inlinable
    static var entryFenced: UInt32 { 4 }
    /// All readers use the central lock; the next one of them lets the others into slots.
    static var resuming: UInt32 { 5 }

    static func letsReadersIntoSlots(_ mode: UInt32) -> Bool {
      mode == asymmetric || mode == entryFenced || mode == fenced
    }
  }

  /// What readers write into their slots; no other living lock has it, and its two lowest bits are 0.
  @inlinable
  @inline(__always)
  var anchor: UInt { drained.anchor(ofStructFrom: 16) }

  // MARK: Fast paths

  @inlinable
  @inline(__always)
  borrowing func lockForReading() -> (hold: ReadHold, record: ReaderRecord) {
    // The record goes with the hold, so that a body which is inlined is left without loading it again.
    let record = ReaderRecord.current
    let slot = record.firstSlot
    // The compiler lays the code out for the biased lock: without a jump taken.
    if _slowPath(slot != ReaderRecord.vacant) {
      if slot == ReaderRecord.hint(at: anchor) {
        // Stored before the read-modify-write that enters, which waits for it anyway: between that and the one that leaves,
        // writers are kept out, and a store would keep them out for longer.
        record.store(anchor &+ 1, in: 0)
        if central.tryLockForReadingAlone() { return (.firstCentral, record) }
      } else if !ReaderRecord.isVacant(slot) {
        return (ReadHold(bits: callRarely(interlock_biased_read, anchor)), .current)
      }
    }
    record.store(anchor, in: 0)
    let mode = mode.loadAcquiring()
    if _fastPath(mode == Mode.asymmetric) { return (.firstSlot, record) }
    if !record.isReportDue {
      if mode == Mode.central {
        if central.tryLockForReadingOnce() {
          record.store(anchor &+ 1, in: 0)
          return (.firstCentral, record)
        }
      } else if mode == Mode.entryFenced {
        record.exchange(anchor, in: 0)
        if self.mode.loadSequentiallyConsistent() == Mode.entryFenced { return (.firstEntryFenced, record) }
      }
    }
    return (ReadHold(bits: callRarely(interlock_biased_read_unbiased, anchor, UInt(mode))), record)
  }

  @inlinable
  @inline(__always)
  borrowing func unlockAfterReading(_ hold: ReadHold, _ record: ReaderRecord) {
    if _fastPath(hold == .firstSlot) {
      record.store(ReaderRecord.vacant, in: 0)
      if _slowPath(mode.loadRelaxed() != Mode.asymmetric) { callRarely(interlock_biased_leave, anchor) }
    } else if hold == .firstCentral {
      let isFree = central.unlockAfterReading()
      let isDue = record.countRead()
      record.store(isFree && !isDue ? ReaderRecord.hint(at: anchor) : ReaderRecord.vacant, in: 0)
    } else if hold == .firstEntryFenced {
      record.store(ReaderRecord.vacant, in: 0)
      record.countRead()
      if _slowPath(mode.loadRelaxed() == Mode.draining) { callRarely(interlock_biased_leave, anchor) }
    } else {
      callRarely(interlock_biased_unlock, anchor, hold.bits)
    }
  }

  @inlinable
  @inline(__always)
  borrowing func lockForWriting() {
    if _slowPath(ReaderRecord.current.isReading) { callRarely(interlock_biased_check_not_reading, anchor) }
    central.lockForWriting(for: .biased)
    if _slowPath(mode.loadRelaxed() != Mode.central) { callRarely(interlock_biased_end, anchor) }
    startRow()
  }

  @inlinable
  @inline(__always)
  borrowing func unlockAfterWriting() {
    central.unlockAfterWriting()
  }

  @inlinable
  borrowing func checkFree() {
    central.checkFree(for: .biased)
  }

  // MARK: Trying, and timed forms

  @usableFromInline
  borrowing func lockForReading(timeout: Duration) -> ReadHold? {
    let timeout = Timeout(timeout, for: "BiasedReadWriteLock")
    return lockForReadingSlow(until: timeout.isZero ? nil : timeout.deadlineFromNow())
  }

  @usableFromInline
  borrowing func lockForWriting(timeout: Duration) -> Bool {
    let timeout = Timeout(timeout, for: "BiasedReadWriteLock")
    let deadline = timeout.isZero ? nil : timeout.deadlineFromNow()
    let record = ReaderRecord.current
    if record.index(of: anchor) != nil {
      // The wait could only fail.
      if deadline != nil { checkNotReading() }
      return false
    }
    guard lockCentralForWriting(until: deadline) else { return false }
    if mode.loadRelaxed() != Mode.central, !endBias(until: deadline) {
      central.unlockAfterWriting()
      return false
    }
    startRow()
    return true
  }

  // MARK: The central lock
  // Without a deadline these try once.

  /// Goes on after a first attempt has failed.
  private borrowing func lockCentralForReading(until deadline: Deadline?) -> Bool {
    guard let deadline else { return central.tryLockForReading() }
    return central.lockForReadingSlow(until: deadline, for: .biased)
  }

  private borrowing func lockCentralForWriting(until deadline: Deadline?) -> Bool {
    if central.tryLockForWriting() { return true }
    guard let deadline else { return false }
    return central.lockForWritingSlow(until: deadline, for: .biased)
  }

  // MARK: Reading, slow paths

  /// Enters a read section; `nil` when the deadline passed first, or, without one, when it would have to wait.
  fileprivate borrowing func lockForReadingSlow(until deadline: Deadline?) -> ReadHold? {
    let record = ReaderRecord.attached
    if record.index(of: anchor) != nil { return .nested }
    guard let index = record.firstVacantIndex else {
      let isIn = central.tryLockForReadingOnce() || lockCentralForReading(until: deadline)
      return isIn ? .centralUnnoted : nil
    }
    return enterUnbiased(record, index: index, until: deadline, mode: mode.loadRelaxed(), isPublished: false)
  }

  /// Enters through a slot or the central lock, whatever the mode.
  ///
  /// - Parameters:
  ///   - mode: The mode, as the caller has just seen it: to look again would fetch a line that others write.
  ///   - isPublished: Whether the slot holds the anchor, which a fast path has stored there in vain; else it is vacant.
  ///   - hasFailed: Whether the caller has tried to enter the central lock, in vain.
  fileprivate borrowing func enterUnbiased(
    _ record: ReaderRecord, index: Int, until deadline: Deadline?, mode: UInt32, isPublished: Bool,
    hasFailed: Bool = false
  ) -> ReadHold? {
    var (mode, isPublished, hasFailed) = (mode, isPublished, hasFailed)
    var roundsLeft = deadline != nil && Backoff.isOfUse ? BiasPolicy.roundsUntilResumed : 0
    while true {
      if Mode.letsReadersIntoSlots(mode) {
        if let hold = enterSlot(record, index: index, mode) { return hold }
        isPublished = true
        mode = Mode.draining
      }
      // From here on the slot is a note for this thread alone. A writer may have seen the anchor in it before.
      if isPublished {
        replace(record, index: index, with: anchor &+ 1)
        isPublished = false
      } else {
        record.store(anchor &+ 1, in: index)
      }
      if !hasFailed, central.tryLockForReadingOnce() { break }
      hasFailed = false
      // A writer is in, or about to be. Where slots are used again after it, waiting for that is quicker than to wait in the
      // central lock, which begins with longer pauses.
      if roundsLeft > 0, mode != Mode.central {
        roundsLeft -= 1
        Backoff.pause()
        mode = self.mode.loadRelaxed()
        continue
      }
      if lockCentralForReading(until: deadline) { break }
      record.store(ReaderRecord.vacant, in: index)
      return nil
    }
    if self.mode.loadRelaxed() == Mode.resuming { startBias() }
    if record.isReportDue { reportCentralReads(record) }
    // With a bias on, no hint is left: the next read looks at the mode.
    return index == 0 && self.mode.loadRelaxed() == Mode.central ? .firstCentral : .central(index)
  }

  /// Enters through a slot; `nil` when the mode is no longer `mode`.
  private borrowing func enterSlot(_ record: ReaderRecord, index: Int, _ mode: UInt32) -> ReadHold? {
    switch mode {
    case Mode.asymmetric:
      record.store(anchor, in: index)
      return self.mode.loadAcquiring() == mode ? .slot(index) : nil
    case Mode.entryFenced:
      record.exchange(anchor, in: index)
      guard self.mode.loadSequentiallyConsistent() == mode else { return nil }
      if record.isReportDue { reportFencedReads(record) }
      return index == 0 ? .firstEntryFenced : .slot(index)
    default:
      record.exchange(anchor, in: index)
      return self.mode.loadSequentiallyConsistent() == mode ? .fencedSlot(index) : nil
    }
  }

  @inline(never)
  fileprivate borrowing func unlockAfterReadingSlow(_ hold: ReadHold) {
    switch hold.kind {
    case .nested:
      break
    case .slot, .fencedSlot, .entryFenced:
      replace(ReaderRecord.current, index: hold.index, with: ReaderRecord.vacant)
    case .central, .hinted:
      central.unlockAfterReading()
      if hold == .centralUnnoted { return }
      ReaderRecord.current.store(ReaderRecord.vacant, in: hold.index)
      ReaderRecord.current.countRead()
    }
  }

  /// Takes the anchor out of a slot, and tells a writer that may be waiting for that.
  private borrowing func replace(_ record: ReaderRecord, index: Int, with value: UInt) {
    if biasedMode == Mode.fenced {
      record.exchange(value, in: index)
      if mode.loadSequentiallyConsistent() == Mode.draining { reportLeaving() }
    } else {
      record.store(value, in: index)
      if mode.loadRelaxed() == Mode.draining { reportLeaving() }
    }
  }

  /// Wakes the writer that drains, if it sleeps or is about to.
  @inline(never)
  fileprivate borrowing func reportLeaving() {
    if drained.addAcquiringAndReleasing(Self.report) & Self.isAsleep != 0 { drained.wake(count: 1) }
  }

  // MARK: Bias

  private static var isAsleep: UInt32 { 1 }
  private static var report: UInt32 { 2 }

  /// Lets readers into slots; the caller holds the central lock for reading.
  private borrowing func startBias() {
    let mode = mode.loadRelaxed()
    guard biasedMode != Mode.central, !Mode.letsReadersIntoSlots(mode) else { return }
    // Where there is nobody to interrupt, readers need no barrier. (A bias that is resumed had others.)
    let isWithoutBarrier =
      isAdaptive && biasedMode == Mode.entryFenced && mode != Mode.resuming
      && ReaderRegistry.shared.isCallingThreadAlone
    letReadersIntoSlots(from: mode, to: isWithoutBarrier ? Mode.asymmetric : biasedMode)
  }

  private borrowing func letReadersIntoSlots(from mode: UInt32, to other: UInt32) {
    if self.mode.compareExchangeReleasing(expected: mode, desired: other).exchanged {
      biasedSince.store(Ticks.now, ordering: .relaxed)
    }
  }

  /// Keeps readers out of slots and waits for those that are in; the caller holds the central lock for writing.
  ///
  /// - Returns: `false` when the deadline passed first, or, without one, when it would have to wait.
  @inline(never)
  fileprivate borrowing func endBias(until deadline: Deadline?) -> Bool {
    if mode.loadRelaxed() == Mode.resuming {
      // No slot has been used since the last writer: there is nobody to wait for.
      if !resumes(after: .inVain) { mode.storeRelaxed(Mode.central) }
      return true
    }
    let mode = mode.exchangeSequentiallyConsistent(Mode.draining)
    let isOver = isAdaptive && mode != Mode.draining
    var resumes = false
    if ReaderRegistry.shared.isCallingThreadAlone {
      if isOver { patience.storeRelaxed(BiasPolicy.patienceWhenAlone(after: patience.loadRelaxed())) }
    } else {
      let began = Ticks.now
      if mode == Mode.asymmetric { AsymmetricFence.heavy() }
      let isDrained = !ReaderRegistry.shared.hasReader(of: anchor)
      if isOver { resumes = self.resumes(after: mode, endedAt: began) }
      guard isDrained || drain(until: deadline, isFenced: mode == Mode.asymmetric) else { return false }
    }
    self.mode.storeRelaxed(resumes ? Mode.resuming : Mode.central)
    return true
  }

  /// Adapts to what a bias was worth, whose slots have just been looked through; whether the next reader is to start another.
  private borrowing func resumes(after mode: UInt32, endedAt began: UInt64) -> Bool {
    // Where another thread's counter is a little behind, or the time is not stored yet, the difference is huge, and one
    // bias is judged wrongly.
    let lifetime = began &- biasedSince.load(ordering: .relaxed)
    let cost = Ticks.now &- began
    if mode == Mode.asymmetric {
      fencePatience.storeRelaxed(
        BiasPolicy.fencePatience(after: fencePatience.loadRelaxed(), lifetime: lifetime, cost: cost))
      return true
    }
    guard BiasPolicy.isWorthIt(lifetime: lifetime, cost: cost) else { return resumes(after: .inVain) }
    // Readers that come seldom let a bias last as well, and save nothing.
    return resumes(after: readsInRow.loadRelaxed() == 0 ? .unproven : .worthIt)
  }

  /// Adapts the patience after a bias with barriers; whether the next reader is to start another.
  private borrowing func resumes(after outcome: BiasPolicy.Outcome) -> Bool {
    let patience = BiasPolicy.patience(after: patience.loadRelaxed(), outcome)
    self.patience.storeRelaxed(patience)
    return patience <= BiasPolicy.mostPatienceToResume
  }

  /// Waits until no thread's slot holds this lock's anchor; one has just been seen to.
  ///
  /// - Parameter isFenced: Whether there was a heavy barrier since the mode was changed to `draining`.
  private borrowing func drain(until deadline: Deadline?, isFenced: Bool) -> Bool {
    var isFenced = isFenced || biasedMode == Mode.fenced
    var backoff = Backoff()
    repeat {
      guard let deadline else { return false }
      if backoff.spin() { continue }

      let word = drained.setBitsAcquiringAndReleasing(Self.isAsleep)
      defer { drained.clearBitsRelaxed(Self.isAsleep) }
      if !isFenced {
        // From now on a reader that leaves sees that a writer drains; and one that has left is seen to have left.
        AsymmetricFence.heavy()
        isFenced = true
      }
      guard ReaderRegistry.shared.hasReader(of: anchor) else { return true }
      let outcome = drained.wait(while: word, until: deadline)
      if outcome == .timedOut || (outcome == .notWaited && deadline.hasPassed) { return false }
    } while ReaderRegistry.shared.hasReader(of: anchor)
    return true
  }

  // MARK: Policy

  /// Adds some of the calling thread's reads to the row; it holds the central lock for reading.
  private borrowing func reportCentralReads(_ record: ReaderRecord) {
    let row = readsInRow.loadRelaxed()
    let reads = record.report { $0.reportCentral(row: row) }
    readsInRow.storeRelaxed(reads)
    let patience = patience.loadRelaxed()
    if reads >= patience {
      startBias()
    } else if isAdaptive, reads >= BiasPolicy.leastPatience {
      self.patience.storeRelaxed(BiasPolicy.patience(afterNearMissAt: patience))
    }
  }

  /// Adds the calling thread's reads to the row; it is in a slot, which it entered with a barrier.
  private borrowing func reportFencedReads(_ record: ReaderRecord) {
    let reads = readsInRow.loadRelaxed() &+ record.report { $0.reportFenced() }
    guard isAdaptive else { return }
    readsInRow.storeRelaxed(reads)
    if reads >= fencePatience.loadRelaxed() {
      letReadersIntoSlots(from: Mode.entryFenced, to: Mode.asymmetric)
    }
  }

  /// Notes a write.
  @inlinable
  @inline(__always)
  borrowing func startRow() {
    if readsInRow.loadRelaxed() != 0 { readsInRow.storeRelaxed(0) }
  }

  // MARK: Traps

  @inline(never)
  fileprivate borrowing func checkNotReading() {
    if ReaderRecord.current.index(of: anchor) != nil {
      misuse(
        "BiasedReadWriteLock", "locked for writing by a thread that is in a read section of it",
        "leave the read section first, or take the write lock from the start")
    }
  }
}

// MARK: Slow paths beside inlined fast paths

@c
@usableFromInline
func interlock_biased_read(_ anchor: UInt, _: UInt) -> UInt {
  borrow(BiasedReadWriteCore.self, at: anchor) { $0.lockForReadingSlow(until: .never)!.bits }
}

@c
@usableFromInline
func interlock_biased_read_unbiased(_ anchor: UInt, _ mode: UInt) -> UInt {
  borrow(BiasedReadWriteCore.self, at: anchor) {
    let record = ReaderRecord.current
    let mode = UInt32(mode)
    // In central mode the fast path has tried, unless a report is due.
    let hasFailed = mode == BiasedReadWriteCore.Mode.central && !record.isReportDue
    return $0.enterUnbiased(
      record, index: 0, until: .never, mode: mode, isPublished: true, hasFailed: hasFailed)!.bits
  }
}

@c
@usableFromInline
func interlock_biased_unlock(_ anchor: UInt, _ hold: UInt) -> UInt {
  borrow(BiasedReadWriteCore.self, at: anchor) { $0.unlockAfterReadingSlow(ReadHold(bits: hold)) }
  return 0
}

@c
@usableFromInline
func interlock_biased_leave(_ anchor: UInt, _: UInt) -> UInt {
  borrow(BiasedReadWriteCore.self, at: anchor) { $0.reportLeaving() }
  return 0
}

@c
@usableFromInline
func interlock_biased_check_not_reading(_ anchor: UInt, _: UInt) -> UInt {
  borrow(BiasedReadWriteCore.self, at: anchor) { $0.checkNotReading() }
  return 0
}

@c
@usableFromInline
func interlock_biased_end(_ anchor: UInt, _: UInt) -> UInt {
  borrow(BiasedReadWriteCore.self, at: anchor) { $0.endBias(until: .never) ? 1 : 0 }
}
