internal import PlatformLocks
internal import ThreadRecords

/// What the bias of a lock saves and what it costs, in processor ticks: the policy of `BiasedReadWriteLock`.
///
/// # Why
/// A read through a slot is cheaper than one that is counted in the lock's word; a write to a biased lock is dearer, because
/// it revokes the bias. How much cheaper and how much dearer differs by a factor of ten between processors, and with the number of
/// threads. So nothing is assumed: both are measured while the lock is used, and the lock is biased while what
/// it saves is more than what it costs.
///
/// # The account
/// `balance` is what was saved less what was spent, between `-limit` and `limit`. The limit is what 16 revocations cost. A lock
/// becomes biased when the balance reaches `limit`, and stops when it reaches `-limit`; either sets the balance to 0.
///
/// | event | not biased | biased |
/// |---|---|---|
/// | each 61st read of a thread | adds 61 × the time that its compare-exchange took | adds `saving` |
/// | a reader collides with another one | adds the time that it lost | |
/// | a write | subtracts `cost`, at the next sampled read | subtracts the time to revoke |
/// | a reader is turned away by a write | | subtracts the time that it lost |
///
/// A read that is counted costs two operations on a shared line, one through a slot costs one on the thread's own line. So the
/// saving is about one operation on the shared line, which is what the sampled compare-exchange is.
///
/// # Estimates
/// `saving` is what 61 reads save, measured while the lock is not biased. `cost` is what a write to a biased lock costs all
/// threads. Both are moving averages. The one that can't be measured at present fades by a thousandth at each sample, so
/// that a mode that was left is tried again.
///
/// # Bounds
/// No event moves the balance or an estimate by more than the limit, however long it was disturbed. Where nothing is saved, 32
/// writes end a bias. A writer that sleeps until the slots are vacant counts nothing: its wait is the length of a section, beside
/// which a scan is small.
///
/// The words are statistics: threads change them without synchronisation, and a lost update does no harm.
struct BiasAccount: ~Copyable, Sendable {
  /// The weight of the moving averages, and how many revocations the limit is worth.
  private static var weight: Float { 16 }

  /// How much of an estimate stays at each sample in which it can't be measured.
  private static var fading: Float { 1 - 1 / 1_024 }

  private let balance = LockWord()
  private let saving = LockWord()
  private let cost = LockWord()
  /// How many writes there were at the last sample.
  private let sampledWrites = LockWord()

  private var limit: Float { cost.float * Self.weight }

  private func change(by ticks: Float) -> Float {
    let limit = limit
    let new = min(max(balance.float + min(max(ticks, -limit), limit), -limit), limit)
    balance.setFloat(new)
    return new
  }

  // MARK: Not biased

  /// Counts 61 reads of a lock that is not biased; whether it should be.
  ///
  /// - Parameters:
  ///   - ticks: How long the compare-exchange of one of them took.
  ///   - writes: How many writes there have been in all.
  func sampleCountedReads(ticks: Float, writes: UInt32) -> Bool {
    let saved = ticks * Float(ThreadRecord.readsPerSample)
    let estimate = limit > 0 ? min(saved, limit) : saved
    saving.setFloat(saving.float + (estimate - saving.float) / Self.weight)
    cost.setFloat(cost.float * Self.fading)
    let count = Float(writes &- sampledWrites.loadRelaxed())
    sampledWrites.storeRelaxed(writes)
    guard change(by: saved - count * cost.float) >= limit else { return false }
    balance.setFloat(0)
    return true
  }

  /// Counts the time that a reader lost because another one came at the same moment.
  func countCollision(ticks: Float) {
    let ticks = min(ticks, limit)
    saving.setFloat(saving.float + ticks / Self.weight)
    _ = change(by: ticks)
  }

  // MARK: Biased

  /// Counts 61 reads through slots.
  func sampleReadsInSlots() {
    saving.setFloat(saving.float * Self.fading)
    _ = change(by: saving.float)
  }

  /// Counts the time that a reader waited for a writer that revoked the bias.
  func countReaderTurnedAway(ticks: Float) {
    cost.setFloat(cost.float + min(ticks, limit) / Self.weight)
    _ = change(by: -ticks)
  }

  /// Counts a revocation; whether the lock should stay biased.
  ///
  /// - Parameters:
  ///   - ticks: How long it took. It counts twice: a scan takes the lines of readers away, who fetch them back.
  ///   - writes: How many writes there have been in all.
  func countRevocation(ticks: UInt64, writes: UInt32) -> Bool {
    let ticks = 2 * Float(ticks)
    let old = cost.float
    cost.setFloat(old == 0 ? ticks : old + (min(ticks, limit) - old) / Self.weight)
    sampledWrites.storeRelaxed(writes)
    guard change(by: -ticks) <= -limit else { return true }
    balance.setFloat(0)
    return false
  }
}

extension LockWord {
  fileprivate var float: Float { Float(bitPattern: loadRelaxed()) }
  fileprivate func setFloat(_ value: Float) { storeRelaxed(value.bitPattern) }
}
