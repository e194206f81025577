public import InterlockCore

/// Decides when a `BiasedReadWriteLock` is biased: in which of its two modes reads and writes take less time.
///
/// # Why
/// With the bias, reads take less time and writes more. How much depends on the processor, on the number of
/// threads and on the share of writes, and the time of a single operation says little about its cost among
/// others. So the lock tries both modes, and compares what they achieve.
///
/// # The policy
/// Of each 1021 reads of a thread, one is a *sample*: it writes to the lock's line, so a more frequent one would
/// cost what it saves. 4 samples of the lock are a *block*; its time includes everything that happened to the lock.
/// - In a block without a write, the bias costs nothing: the lock becomes biased.
/// - Once there are more writes than a quarter of the reads, the bias can't pay: it ends. For a write searches the
///   slots of all threads, which takes longer than four reads save.
/// - Otherwise the lock *tries* its other mode for a block after each 1, 2, 4 … 128 blocks. If that block took
///   less time than the one before, the other mode stays, and the lock tries again after 1 block. If not, the
///   lock goes back as soon as that is known, and waits for twice as many blocks, at most 128.
/// - A block that took twice or half the time of the one before: the load may have changed, so the lock tries
///   the other mode after the next block.
///
/// So trials take less than a hundredth of the blocks while the load is steady. A preempted thread may spoil a
/// comparison; the next trial is then one block away. A reader sets the bias, and a writer ends it.
///
/// The words are statistics. Threads change them without synchronization, and a lost update does no harm.
@usableFromInline
@frozen
struct BiasAccount: ~Copyable, Sendable {
  private static var samplesPerBlock: UInt32 { 4 }
  /// The binary logarithm of the greatest number of blocks between two trials.
  private static var longestPause: UInt32 { 7 }

  private let plan: LockWord
  /// When the current block began; 0 until the first sample of a mode.
  private let begin = LockWord()
  /// The time of the last block in the lock's current mode, or before the trial.
  private let time = LockWord()
  /// The number of writes, wrapping around, at the last sample.
  private let writes = LockWord()

  /// The mode that the lock should have, and what will happen next.
  private struct Plan {
    /// Whether readers should be counted.
    ///
    /// A new lock becomes biased at its first sample.
    var isCounted = false
    /// Whether the current block is a trial of its mode.
    var isTrial = false
    /// Whether the current block has had a write.
    var isWritten = false
    /// Whether the lock keeps its mode, whatever is planned.
    let isFixed: Bool
    /// The samples of the current block so far.
    var samples: UInt32 = 0
    /// The blocks left until the next trial.
    var left: UInt32 = 0
    /// The binary logarithm of the number of blocks between two trials.
    var pause: UInt32 = 0

    init(isFixed: Bool) {
      self.isFixed = isFixed
    }

    init(bits: UInt32) {
      isCounted = bits & 1 != 0
      isTrial = bits & 2 != 0
      isWritten = bits & 4 != 0
      isFixed = bits & 8 != 0
      samples = bits >> 8 & 255
      left = bits >> 16 & 255
      pause = bits >> 24
    }

    var bits: UInt32 {
      (isCounted ? 1 : 0) | (isTrial ? 2 : 0) | (isWritten ? 4 : 0) | (isFixed ? 8 : 0)
        | samples << 8 | left << 16 | pause << 24
    }

    mutating func endTrial(won: Bool) {
      isTrial = false
      if !won { isCounted.toggle() }
      pause = won ? 0 : min(pause + 1, BiasAccount.longestPause)
      left = 1 << pause
    }
  }

  init(adapts: Bool = true) {
    plan = LockWord(Plan(isFixed: !adapts).bits)
  }

  /// Whether the lock may change its mode; if not, the account changes nothing.
  var adapts: Bool { !Plan(bits: plan.loadRelaxed()).isFixed }

  /// Accounts for the reads of a sample, the last of which was in a slot or counted; returns whether the lock should
  /// become biased.
  ///
  /// - Parameters:
  ///   - inSlot: Whether the read was in a slot.
  ///   - writes: The total number of writes so far.
  ///   - now: The processor's counter, which is read where a block begins or may end.
  func sample(inSlot: Bool, writes: UInt32, now: @autoclosure () -> UInt64) -> Bool {
    var plan = Plan(bits: self.plan.loadRelaxed())
    if inSlot == plan.isCounted {
      // The lock is not in the planned mode yet. A writer will end the bias, or this reader sets it.
      if !inSlot { self.writes.storeRelaxed(writes) }
      return !inSlot
    }
    let begin = begin.loadRelaxed()
    plan.samples += begin == 0 ? 0 : 1
    if writes != self.writes.loadRelaxed() {
      plan.isWritten = true
      self.writes.storeRelaxed(writes)
    }
    if begin == 0 || plan.isTrial || plan.samples >= Self.samplesPerBlock {
      // 16 ticks are precise enough for a block, and wrap around less often.
      let now = max(UInt32(truncatingIfNeeded: now() >> 4), 1)
      let time = now &- begin
      // A trial that takes too long is lost already, so its cost is bounded by the time of a block.
      let isOver = plan.samples >= Self.samplesPerBlock || plan.isTrial && time >= self.time.loadRelaxed()
      if begin == 0 || isOver {
        if begin != 0 { endBlock(&plan, time: time) }
        plan.isWritten = false
        self.begin.storeRelaxed(inSlot == plan.isCounted ? 0 : now)
      }
    }
    self.plan.storeRelaxed(plan.bits)
    return !inSlot && !plan.isCounted
  }

  private func endBlock(_ plan: inout Plan, time: UInt32) {
    plan.samples = 0
    let last = self.time.loadRelaxed()
    if plan.isTrial {
      let won = plan.isWritten ? time < last : !plan.isCounted
      plan.endTrial(won: won)
      if !won { return }
    } else if !plan.isWritten {
      plan.isCounted = false
    } else if plan.left <= 1 {
      plan.isTrial = true
      plan.isCounted.toggle()
    } else {
      plan.left = time / 2 > last || time < last / 2 ? 1 : plan.left - 1
    }
    self.time.storeRelaxed(time)
  }

  /// Accounts for a write that revoked the bias; returns whether the bias should end.
  ///
  /// - Parameter writes: The total number of writes so far.
  func endsBias(writes: UInt32) -> Bool {
    var plan = Plan(bits: self.plan.loadRelaxed())
    if plan.isCounted { return true }
    let recentWrites = Int32(bitPattern: writes &- self.writes.loadRelaxed())
    guard recentWrites > ThreadRecord.readsPerSample / 4 else { return false }
    if plan.isTrial {
      plan.endTrial(won: false)
    } else {
      (plan.isCounted, plan.left, plan.pause) = (true, 1, 0)
    }
    plan.samples = 0
    self.plan.storeRelaxed(plan.bits)
    begin.storeRelaxed(0)
    return true
  }
}
