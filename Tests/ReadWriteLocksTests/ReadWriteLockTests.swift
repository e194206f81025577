import ReadWriteLocks
import TestSupport
import Testing

/// Tests the functions that an extension adds to every `RawReadWriteLock`.
@Suite struct ReadWriteLockTests {
  @Test func whatGivesUpDoesNotRunItsBody() throws {
    let lock = CompactReadWriteLock()
    var bodies = 0
    #expect(lock.withReadLockIfAvailable { bodies += 1 } != nil)
    #expect(lock.withWriteLockIfAvailable { bodies += 1 } != nil)
    try lock.withReadLock(timeout: .zero) { bodies += 1 }
    try lock.withWriteLock(timeout: .zero) { bodies += 1 }
    #expect(bodies == 4)
    #expect(lock.withReadLock { lock.withWriteLockIfAvailable { bodies += 1 } == nil })
    #expect(lock.withWriteLock { lock.withReadLockIfAvailable { bodies += 1 } == nil })
    #expect(lock.withReadLock { timesOut { try lock.withWriteLock(timeout: .zero) { bodies += 1 } } })
    #expect(lock.withWriteLock { timesOut { try lock.withReadLock(timeout: .zero) { bodies += 1 } } })
    #expect(bodies == 4)
  }

  /// The error of an inner wait passes through the outer form, whose body has run.
  @Test func anErrorSaysWhoseTimeoutPassed() throws {
    let outer = CompactReadWriteLock()
    let inner = CompactReadWriteLock()
    let fromInside = outer.withReadLock {
      inner.withWriteLock {
        #expect(throws: TimeoutError.self) {
          try outer.withReadLock(timeout: .zero) { try inner.withReadLock(timeout: .zero) {} }
        }
      }
    }
    let fromOutside = outer.withWriteLock {
      #expect(throws: TimeoutError.self) { try outer.withReadLock(timeout: .zero) {} }
    }
    #expect(fromInside?.isThrown(by: inner) == true)
    #expect(fromInside?.isThrown(by: outer) == false)
    #expect(fromOutside?.isThrown(by: outer) == true)
    #expect(fromOutside?.label == "CompactReadWriteLock")
    // A lock that is an object.
    let (posix, other) = (PosixReadWriteLock(), PosixReadWriteLock())
    let error = posix.withReadLock {
      onAnotherThread { #expect(throws: TimeoutError.self) { try posix.withWriteLock(timeout: .zero) {} } }
    }
    #expect(error?.isThrown(by: posix) == true)
    #expect(error?.isThrown(by: other) == false)
  }

  /// What can't give up has the body's typed error alone.
  @Test func endlessFormsHaveTheErrorOfTheirBody() {
    struct Failure: Error, Equatable {}
    let lock = CompactReadWriteLock()
    func fail() throws(Failure) {
      try lock.withReadLock { () throws(Failure) in throw Failure() }
      try lock.withWriteLock { () throws(Failure) in throw Failure() }
      _ = try lock.withReadLockIfAvailable { () throws(Failure) in throw Failure() }
      _ = try lock.withWriteLockIfAvailable { () throws(Failure) in throw Failure() }
    }
    #expect(throws: Failure()) { try fail() }
  }
}
