import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Tests the protector's functions with a timeout, and its `…IfAvailable` functions, which never wait.
@Suite struct LockProtectorTimeoutsTests {
  @Test func aProtectorInUseIsNotAvailable() {
    let number = Protector(1)
    let duringWrite = number.withWriteLock { _ in
      onAnotherThread {
        [
          number.withWriteLockIfAvailable { $0 },
          number.withReadLockIfAvailable { $0 },
          unlessTimedOut { try number.withWriteLock(timeout: .milliseconds(1)) { $0 } },
          unlessTimedOut { try number.withReadLock(timeout: .milliseconds(1)) { $0 } },
        ]
      }
    }
    #expect(duringWrite == [nil, nil, nil, nil])
    let duringRead = number.withReadLock { _ in
      onAnotherThread { [number.withWriteLockIfAvailable { $0 }, number.withReadLockIfAvailable { $0 }] }
    }
    #expect(duringRead == [nil, 1])
  }

  @Test(arguments: [Duration.zero, .microseconds(50), .milliseconds(3)])
  func timeoutsAreNotEarly(timeout: Duration) {
    let number = Protector(1)
    let write = number.withWriteLock { _ in
      onAnotherThread {
        MonotonicClock.measure { timesOut { try number.withWriteLock(timeout: timeout) { _ in } } }
      }
    }
    let read = number.withWriteLock { _ in
      onAnotherThread {
        MonotonicClock.measure { timesOut { try number.withReadLock(timeout: timeout) { _ in } } }
      }
    }
    #expect(write.result && write.elapsed >= timeout)
    #expect(read.result && read.elapsed >= timeout)
  }
}
