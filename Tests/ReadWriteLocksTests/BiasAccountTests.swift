import TestSupport
import Testing

@testable import ReadWriteLocks

/// Tests `BiasAccount`, which decides when a lock is biased towards readers.
///
/// The tests pass made-up times and numbers of writes to the account, and use no lock or thread.
@Suite struct BiasAccountTests {
  @Test func aNewLockIsBiasedAtItsFirstSample() {
    let account = BiasAccount()
    let isBiased = account.sampleCountedReads(ticks: 0, writes: 0)
    #expect(isBiased)
  }

  /// Without reads, the account must end the bias: each write pays for a revocation, and no read gains from
  /// the bias.
  @Test func costsEndABias() {
    let account = BiasAccount()
    _ = account.sampleCountedReads(ticks: 20, writes: 0)
    let worthIt = (1...100).prefix { account.countRevocation(ticks: 100, writes: UInt32($0)) }
    #expect(worthIt.count == 15)
  }

  /// The lock must stay biased while the bias saves the reads more time than it costs the writes.
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

  /// Frequent writes must keep the lock unbiased after the bias has ended.
  ///
  /// For this, the account must remember what a write to the biased lock cost.
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
    // Without further writes, the lock must become biased again within 16 sampled reads.
    let samples = (1...100).first { _ in account.sampleCountedReads(ticks: 20, writes: writes) }
    #expect((2...16).contains(samples ?? 0))
  }

  /// The estimated cost of a write must decay, so that the lock becomes biased again after some time despite
  /// frequent writes.
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

  /// The account must cap the measured time of a revocation, because a thread may be preempted while it
  /// measures.
  @Test func aDisturbedMeasurementIsCapped() {
    let account = BiasAccount()
    _ = account.sampleCountedReads(ticks: 20, writes: 0)
    _ = account.countRevocation(ticks: 100, writes: 1)
    for _ in 0..<10 { account.sampleReadsInSlots() }
    let isBiased = account.countRevocation(ticks: 10_000_000, writes: 2)
    #expect(isBiased)
    // The next revocations take only 100 ticks, so at least one of the first ten must leave the lock biased.
    var samples = 0
    while !account.countRevocation(ticks: 100, writes: 3), samples < 10 { samples += 1 }
    #expect(samples < 10)
  }

  /// The account must cap the measured delay of a collision, so that later writes still end the bias.
  ///
  /// In a collision, counted readers delay one another, which is a reason to bias the lock. A reader that is
  /// preempted while it measures the delay gets a time that is far too long.
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
