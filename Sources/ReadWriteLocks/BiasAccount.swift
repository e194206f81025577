public import LockSupport
internal import ThreadRecords

/// Decides when a `BiasedReadWriteLock` is biased: while the bias saves more processor ticks than it costs.
///
/// # Why
/// A reader of a biased lock publishes the lock's key in a slot of its own. A reader of a lock without bias
/// is *counted*: it changes the lock's word, which takes longer. A write to a biased lock takes longer than
/// other writes, because the writer revokes the bias: it waits until no slot holds the key. The saving and
/// the cost depend on the number of threads, and vary between processors by a factor of ten. So the lock
/// measures both while it is used. It is biased while the saving exceeds the cost.
///
/// # The account
/// `balance` is the total saving less the total cost, between `-limit` and `limit`. The limit is the cost of
/// 16 revocations. A lock becomes biased when the balance reaches `limit`. It stops being biased when the
/// balance reaches `-limit`. Either event resets the balance to 0.
///
/// | event | not biased | biased |
/// |---|---|---|
/// | a *sample*: each 61st read of a thread | adds 61 × half the time of its compare-exchange | adds `saving` |
/// | a reader loses a race with another reader | adds the reader's delay | |
/// | a write | subtracts `cost`, at the next sample | subtracts twice the time to revoke |
/// | a writer makes a reader wait | | subtracts the reader's delay |
///
/// A counted read costs two operations on a shared cache line. A read through a slot costs one operation on
/// the thread's own line. So the saving is about one operation on the shared line. The sampled
/// compare-exchange measures the time of such an operation. Only half of it counts: the readings of the
/// counter keep the processor from overlapping the operation with others. So the operation takes about twice
/// as long as in other reads.
///
/// # Estimates
/// `saving` is what 61 reads save, measured while the lock is not biased. `cost` is what a write to a biased
/// lock costs all threads, measured while the lock is biased. Both are moving averages. At each sample, the
/// estimate that the lock's current mode can't measure decays by a thousandth. So the lock tries the other
/// mode again after some time.
///
/// # Bounds
/// No event changes the balance or an estimate by more than the limit, even if the thread was preempted
/// during the measurement. If the bias saves nothing, at most 32 writes end it. The revocation of a writer
/// that must sleep until the slots are vacant does not count. The length of its wait depends on the read
/// sections, and the cost of the revocation is small in comparison.
///
/// The words are statistics. Threads change them without synchronisation, and a lost update does no harm.
@usableFromInline
@frozen
struct BiasAccount: ~Copyable, Sendable {
  /// The inverse of the weight of a new measurement in the moving averages.
  ///
  /// It is also the number of revocations whose cost is the limit of the balance.
  private static var weight: Float { 16 }

  /// The factor by which each sample multiplies the estimate that the lock's current mode can't measure.
  private static var fading: Float { 1 - 1 / 1_024 }

  private let balance = LockWord()
  private let saving = LockWord()
  private let cost = LockWord()
  /// The number of writes that `balance` accounts for so far, wrapping around.
  private let sampledWrites = LockWord()

  private var limit: Float { cost.float * Self.weight }

  private func change(by ticks: Float) -> Float {
    let limit = limit
    let new = min(max(balance.float + min(max(ticks, -limit), limit), -limit), limit)
    balance.setFloat(new)
    return new
  }

  // MARK: Not biased

  /// Accounts for 61 reads of a lock that is not biased, one of which was measured.
  ///
  /// Returns whether the lock should become biased.
  ///
  /// - Parameters:
  ///   - ticks: The time that the compare-exchange of the measured read took.
  ///   - writes: The total number of writes so far.
  func sampleCountedReads(ticks: Float, writes: UInt32) -> Bool {
    let saved = ticks / 2 * Float(ThreadRecord.readsPerSample)
    let estimate = limit > 0 ? min(saved, limit) : saved
    saving.setFloat(saving.float + (estimate - saving.float) / Self.weight)
    cost.setFloat(cost.float * Self.fading)
    let count = Float(writes &- sampledWrites.loadRelaxed())
    sampledWrites.storeRelaxed(writes)
    guard change(by: saved - count * cost.float) >= limit else { return false }
    balance.setFloat(0)
    return true
  }

  /// Accounts for the time that a reader of a lock without bias lost because another reader changed the
  /// lock's word at the same moment.
  func countCollision(ticks: Float) {
    let ticks = min(ticks, limit)
    saving.setFloat(saving.float + ticks / Self.weight)
    _ = change(by: ticks)
  }

  // MARK: Biased

  /// Accounts for 61 reads through slots.
  func sampleReadsInSlots() {
    saving.setFloat(saving.float * Self.fading)
    _ = change(by: saving.float)
  }

  /// Accounts for the time that a reader waited for a writer that revoked the bias.
  func countReaderTurnedAway(ticks: Float) {
    cost.setFloat(cost.float + min(ticks, limit) / Self.weight)
    _ = change(by: -ticks)
  }

  /// Accounts for the revocation of the bias by a writer.
  ///
  /// Returns whether the lock should stay biased.
  ///
  /// - Parameters:
  ///   - ticks: The time that the revocation took. This time counts twice: the writer's scan of the slots
  ///     takes their cache lines from the readers' processors, which must fetch the lines back.
  ///   - writes: The total number of writes so far.
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
