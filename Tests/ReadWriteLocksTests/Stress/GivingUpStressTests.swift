import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests that writers that time out don't make another writer starve.
@Suite(.serialized) struct GivingUpStressTests {
  /// Readers must not keep overtaking a waiting writer when other writers time out.
  ///
  /// Eight readers, one writer without a timeout, and `givingUp` writers with short timeouts share a lock.
  /// The test counts the read sections that begin while the writer waits for the lock. If the count reaches a
  /// limit, the readers stop until the writer has the lock. The limit must not be reached by half of the writes;
  /// by some it may be, because on a busy machine it may take long until the thread of the writer continues.
  @Test(arguments: TimedLockUnderTest.all, [0, 16])
  func aWaitingWriterIsNotPassedOver(stressed: TimedLockUnderTest, givingUp: Int) {
    let lock = stressed.make()
    let readers = 8
    let writes = StressSize.pick(quick: 5, full: 200)
    let limit = readers * 100
    let begun = RelaxedCounter()
    let isWaiting = RelaxedCounter()
    // Of the current write.
    let overtaking = RelaxedCounter()
    let passedOver = RelaxedCounter()
    let isOver = RelaxedFlag()
    race(threads: 1 + readers + givingUp) { index in
      switch index {
      case 0:
        for _ in 0..<writes {
          let before = begun.value
          while begun.value == before { PlatformThread.yield() }
          isWaiting.add(1)
          lock.withWriteLock { _ = isWaiting.add(-1) }
          let reads = overtaking.value
          if reads >= limit { passedOver.add(1) }
          overtaking.add(-reads)
        }
        isOver.set()
      case 1...readers:
        while !isOver.isSet {
          if overtaking.value >= limit {
            MonotonicClock.sleep(.milliseconds(1))
            continue
          }
          lock.withReadLock {
            begun.add(1)
            if isWaiting.value > 0 { overtaking.add(1) }
            // The readers' sections differ in length, so that they keep overlapping.
            MonotonicClock.sleep(.milliseconds(3 + index))
          }
        }
      default:
        while !isOver.isSet { _ = unlessTimedOut { try lock.withWriteLock(timeout: .microseconds(100)) {} } }
      }
    }
    #expect(passedOver.value * 2 < writes, "\(writes) sections to write, \(givingUp) writers that give up")
    print(
      "\(stressed.name), \(givingUp) writers that give up: \(passedOver.value) passed over, \(writes) writes")
  }
}
