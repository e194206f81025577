import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests that writers which give up don't make another writer starve.
@Suite(.serialized) struct GivingUpStressTests {
  /// Eight readers, one writer without a timeout, and writers with short timeouts.
  ///
  /// The writer asks for the lock whenever a read section has begun. The test counts the read sections that
  /// begin until the writer has had all its sections. If writers that give up let readers pass the writer,
  /// the count reaches a limit, at which the readers stop.
  @Test(arguments: TimedLockUnderTest.all, [0, 16])
  func aWaitingWriterIsNotPassedOver(stressed: TimedLockUnderTest, givingUp: Int) {
    let lock = stressed.make()
    let readers = 8
    let writes = StressSize.pick(quick: 5, full: 200)
    let limit = writes * readers * 20
    let begun = RelaxedCounter()
    let isOver = RelaxedFlag()
    race(threads: 1 + readers + givingUp) { index in
      switch index {
      case 0:
        for _ in 0..<writes {
          reportActivity("waits for a read section")
          let before = begun.value
          while begun.value == before, before < limit { PlatformThread.yield() }
          reportActivity("wants to write, without a limit")
          lock.withWriteLock {}
        }
        isOver.set()
      case 1...readers:
        reportActivity("reads")
        while !isOver.isSet, begun.value < limit {
          lock.withReadLock {
            begun.add(1)
            // The sections differ in length, so they overlap again and again.
            MonotonicClock.sleep(.milliseconds(3 + index))
          }
        }
      default:
        reportActivity("wants to write, with a limit")
        while !isOver.isSet { _ = lock.withWriteLock(timeout: .microseconds(100)) {} }
      }
    }
    #expect(begun.value < limit, "\(writes) sections to write, \(givingUp) writers that give up")
    print("\(stressed.name), \(givingUp) writers that give up: \(begun.value) reads, \(writes) writes")
  }
}
