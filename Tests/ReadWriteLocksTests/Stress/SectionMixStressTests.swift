import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests that locks exclude writers in random mixes of read and write sections, some of which yield or sleep.
@Suite(.serialized) struct SectionMixStressTests {
  @Test(arguments: LockUnderTest.all, [2, 16])
  func sectionsExclude(stressed: LockUnderTest, threads: Int) {
    let lock = stressed.make()
    let twins = Twins()
    let rounds = StressSize.pick(quick: 16_000, full: 1_600_000) / threads
    let outcomes = race(threads: threads) { index -> Outcome in
      var random = Seed.current.generator(stream: index)
      // Each thread has its own proportion of reads, so some threads mostly read and others mostly write.
      let readPercent = [99, 90, 50, 10].randomElement(using: &random)!
      var outcome = Outcome()
      for _ in 0..<rounds {
        let pause = Pause.random(using: &random)
        if random.happens(percent: readPercent) {
          lock.withReadLock {
            if !twins.agree(pause: pause.take) { outcome.catches += 1 }
          }
        } else {
          lock.withWriteLock {
            twins.change(pause: pause.take)
          }
          outcome.writes += 1
        }
      }
      return outcome
    }
    #expect(outcomes.allSatisfy { $0.catches == 0 }, "half-writes were seen; \(Seed.current)")
    #expect(twins.count == outcomes.reduce(0) { $0 + $1.writes }, "\(Seed.current)")
  }

  /// No reader may see a half-finished write while the roles of the threads change.
  ///
  /// Three phases alternate: the first half of the threads writes, no thread writes, the second half writes.
  /// All other threads read. The lock therefore passes between readers and writers at each change of phase.
  @Test(arguments: LockUnderTest.all)
  func sectionsExcludeAtEachChangeOfPhase(stressed: LockUnderTest) {
    let lock = stressed.make()
    let threads = 8
    let phase = MeetingPoint(parties: threads)
    let twins = Twins()
    let catches = race(threads: threads) { index -> Int in
      var catches = 0
      for number in 0..<StressSize.pick(quick: 40, full: 2_000) {
        // All threads meet before every second phase only. Fast threads begin the other phases early, so that
        // phases overlap, too.
        if number.isMultiple(of: 2) { phase.meet() }
        for _ in 0..<20 {
          if (number + index / 4) % 3 == 0 {
            lock.withWriteLock { twins.change() }
          } else {
            lock.withReadLock { if !twins.agree() { catches += 1 } }
          }
        }
      }
      return catches
    }
    #expect(catches.allSatisfy { $0 == 0 })
  }
}

/// The results of one thread; `catches` counts the reads that saw a half-finished write.
private struct Outcome: Sendable {
  var writes = 0
  var catches = 0
}
