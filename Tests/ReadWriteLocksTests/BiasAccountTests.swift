import TestSupport
import Testing

@testable import ReadWriteLocks

/// Tests `BiasAccount`, which decides when a lock is biased towards readers.
///
/// The tests pass costs and times to the account, and use no lock or thread.
@Suite struct BiasAccountTests {
  @Test func aNewLockIsBiasedAtItsFirstSample() {
    let account = BiasAccount()
    let isBiased = account.sampleCountedReads(ticks: 0, writes: 0)
    #expect(isBiased)
  }

  /// Without reads, the bias saves nothing, and each write costs a revocation of the bias.
  ///
  /// So the account ends the bias.
  @Test func costsEndABias() {
    let account = BiasAccount()
    _ = account.sampleCountedReads(ticks: 20, writes: 0)
    let worthIt = (1...100).prefix { account.countRevocation(ticks: 100, writes: UInt32($0)) }
    #expect(worthIt.count == 15)
  }

  /// The lock stays biased while the bias saves the reads more time than it costs the writes.
  @Test func savingsKeepABias() {
    let account = BiasAccount()
    for _ in 0..<100 { _ = account.sampleCountedReads(ticks: 20, writes: 0) }
    for number in 1...10_000 {
      account.sampleReadsInSlots()
      let isBiased = account.countRevocation(ticks: 100, writes: UInt32(number))
      #expect(isBiased)
      if number % 100 == 0 {
        for _ in 0..<100 { _ = account.sampleCountedReads(ticks: 20, writes: UInt32(number)) }
      }
    }
  }

  /// After a bias has ended, the account still knows what a write to the biased lock costs.
  ///
  /// So it must not bias the lock again while there are many writes.
  @Test func frequentWritesKeepTheLockUnbiased() {
    let account = BiasAccount()
    _ = account.sampleCountedReads(ticks: 20, writes: 0)
    var writes: UInt32 = 0
    repeat { writes += 1 } while account.countRevocation(ticks: 100, writes: writes)
    for _ in 0..<1_000 {
      writes += 61
      let isBiased = account.sampleCountedReads(ticks: 20, writes: writes)
      #expect(!isBiased)
    }
    // Now there are no more writes. So the lock must become biased again within 16 sampled reads.
    let samples = (1...100).first { _ in account.sampleCountedReads(ticks: 20, writes: writes) }
    #expect((2...16).contains(samples ?? 0))
  }

  /// The estimated cost of a write decays, so the lock gets a bias again after some time.
  @Test func anUnbiasedLockIsRebiasedAfterManySamples() {
    let account = BiasAccount()
    _ = account.sampleCountedReads(ticks: 20, writes: 0)
    var writes: UInt32 = 0
    repeat { writes += 1 } while account.countRevocation(ticks: 100, writes: writes)
    let samples = (1...100_000).first { _ in
      writes += 61
      return account.sampleCountedReads(ticks: 20, writes: writes)
    }
    #expect((1_000...4_000).contains(samples ?? 0))
  }

  /// If a thread is preempted while it measures a revocation of the bias, the account caps the measured time.
  @Test func aDisturbedMeasurementIsCapped() {
    let account = BiasAccount()
    _ = account.sampleCountedReads(ticks: 20, writes: 0)
    _ = account.countRevocation(ticks: 100, writes: 1)
    for _ in 0..<10 { account.sampleReadsInSlots() }
    let isBiased = account.countRevocation(ticks: 10_000_000, writes: 2)
    #expect(isBiased)
    // The next revocations take only 100 ticks. At least one of the first ten must leave the lock biased.
    var samples = 0
    while !account.countRevocation(ticks: 100, writes: 3), samples < 10 { samples += 1 }
    #expect(samples < 10)
  }

  /// Counted readers that delay one another (a collision) are a reason to bias the lock, and writes are a
  /// reason to end the bias.
  ///
  /// A reader that is preempted while it measures such a delay gets far too long a time. `BiasAccount` limits
  /// the time that it counts, so that later writes still end the bias.
  @Test func aDisturbedCollisionDoesNotKeepABias() {
    let account = BiasAccount()
    _ = account.sampleCountedReads(ticks: 60, writes: 0)
    _ = account.countRevocation(ticks: 500, writes: 1)
    account.countCollision(ticks: 30_000_000)
    let revocations = (2...10_000).first { number in
      if number % 10 == 0 { account.sampleReadsInSlots() }
      return !account.countRevocation(ticks: 500, writes: UInt32(number))
    }
    #expect((revocations ?? .max) < 100)
  }

  @Test func collisionsOfCountedReadersSetTheBias() {
    let account = BiasAccount()
    _ = account.sampleCountedReads(ticks: 0, writes: 0)
    var writes: UInt32 = 0
    repeat { writes += 1 } while account.countRevocation(ticks: 100, writes: writes)
    for _ in 0..<8 { account.countCollision(ticks: 1_000) }
    let isBiased = account.sampleCountedReads(ticks: 0, writes: writes)
    #expect(isBiased)
  }
}
