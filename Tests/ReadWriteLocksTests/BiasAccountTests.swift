import TestSupport
import Testing

@testable import ReadWriteLocks

/// Tests when `BiasAccount` tells a lock to set or to end its bias.
///
/// The tests pass costs and times to the account, and use no lock or thread.
@Suite struct BiasAccountTests {
  @Test func aNewLockIsBiasedAtItsFirstSample() {
    let account = BiasAccount()
    let isBiased = account.sampleCountedReads(ticks: 0, writes: 0)
    #expect(isBiased)
  }

  /// With a write for every read, the revocations cost more than the reads save, so the bias ends.
  @Test func costsEndABias() {
    let account = BiasAccount()
    _ = account.sampleCountedReads(ticks: 20, writes: 0)
    let worthIt = (1...100).prefix { account.countRevocation(ticks: 100, writes: UInt32($0)) }
    #expect(worthIt.count == 15)
  }

  /// The bias stays if the savings between writes exceed the cost of the writes.
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

  /// The cost of a write is known from the last bias, so the lock gets no bias while there are many writes.
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
    // Without writes, the savings must reach the cost of sixteen revocations.
    let samples = (1...100).first { _ in account.sampleCountedReads(ticks: 20, writes: writes) }
    #expect((2...16).contains(samples ?? 0))
  }

  /// The estimated cost of a write decays, so the lock gets a bias again after some time.
  @Test func aBiasIsTriedAgain() {
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

  /// A measurement that was disturbed for milliseconds is cut down to a limit.
  @Test func aDisturbedMeasurementDoesLittleHarm() {
    let account = BiasAccount()
    _ = account.sampleCountedReads(ticks: 20, writes: 0)
    _ = account.countRevocation(ticks: 100, writes: 1)
    for _ in 0..<10 { account.sampleReadsInSlots() }
    let isBiased = account.countRevocation(ticks: 10_000_000, writes: 2)
    #expect(isBiased)
    // The measurement must not distort the estimated cost either, so savings bring the balance back.
    var samples = 0
    while !account.countRevocation(ticks: 100, writes: 3), samples < 10 { samples += 1 }
    #expect(samples < 10)
  }

  /// A disturbed measurement of a saving does little harm, because writes still end the bias.
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

  @Test func collisionsSpeakForABias() {
    let account = BiasAccount()
    _ = account.sampleCountedReads(ticks: 0, writes: 0)
    var writes: UInt32 = 0
    repeat { writes += 1 } while account.countRevocation(ticks: 100, writes: writes)
    for _ in 0..<8 { account.countCollision(ticks: 1_000) }
    let isBiased = account.sampleCountedReads(ticks: 0, writes: writes)
    #expect(isBiased)
  }
}
