import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests that no thread waits forever.
///
/// If one does, the test hangs until the watchdog ends it.
extension ReadWriteLockContract {
  @Test(arguments: TimedLockUnderTest.sharing)
  func aWaitingWriterKeepsNewReadersOut(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    let isRead = Signal()
    let isReaderKeptOut = Signal()
    let hasWritten = RelaxedFlag()
    let results = race(threads: 3) { index -> Bool in
      switch index {
      case 0:
        return lock.withReadLock {
          isRead.send()
          isReaderKeptOut.wait()
          return !hasWritten.isSet
        }
      case 1:
        isRead.wait()
        return lock.withWriteLock {
          hasWritten.set()
          return true
        }
      default:
        isRead.wait()
        while lock.withReadLockIfAvailable({}) != nil {
          PlatformThread.yield()
        }
        isReaderKeptOut.send()
        // The writer keeps the reader out only until it has written, so this call must return eventually.
        return lock.withReadLock { true }
      }
    }
    #expect(results == [true, true, true])
  }

  @Test(arguments: LockUnderTest.all)
  func readersDoNotStarveAWriter(candidate: LockUnderTest) {
    let lock = candidate.make()
    let isDone = RelaxedFlag()
    let readersInside = MeetingPoint(parties: 5)
    let writes = Unguarded(0)
    let target = StressSize.pick(quick: 10, full: 100)
    race(threads: 5) { index in
      guard index < 4 else {
        readersInside.meet()
        for _ in 0..<target {
          lock.withWriteLock { writes.value += 1 }
        }
        isDone.set()
        return
      }
      readersInside.meet()
      while !isDone.isSet {
        lock.withReadLock {
          // With sections this long, at least one of the four readers holds the lock nearly all the time. If
          // the lock preferred readers, the writer would starve.
          MonotonicClock.sleep(.milliseconds(1))
        }
      }
    }
    #expect(writes.value == target)
  }

  @Test(arguments: LockUnderTest.fairToReaders)
  func writersDoNotStarveAReader(candidate: LockUnderTest) {
    let lock = candidate.make()
    let isDone = RelaxedFlag()
    let writes = Unguarded(0)
    let target = StressSize.pick(quick: 20, full: 500)
    let reads = race(threads: 5) { index -> Int in
      guard index < 3 else {
        var reads = 0
        for _ in 0..<target {
          lock.withReadLock { reads += 1 }
        }
        if index == 3 { isDone.set() }
        return reads
      }
      while !isDone.isSet {
        lock.withWriteLock { writes.value += 1 }
      }
      return 0
    }
    #expect(reads == [0, 0, 0, target, target])
  }
}
