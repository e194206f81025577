internal import Protectors
package import ReadWriteLocks

/// A value in a protector.
package struct ValueBehindLock<Value: Sendable, Lock: ReadWriteLock & ~Copyable>: ProtectedValue {
  private let protector: LockProtector<Value, Lock>

  init(_ value: Value, lock: consuming Lock) {
    protector = LockProtector(value, lock: lock)
  }

  package func withReadLock<R: ~Copyable, E: Error>(
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try protector.withReadLock(body)
  }

  package func withWriteLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try protector.withWriteLock(body)
  }

  package func exchange(_ new: Value) -> Value {
    protector.exchange(new)
  }
}

extension ValueBehindLock: WaitableValue where Lock: RawReadWriteLock & ~Copyable {
  package func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, timeout: Duration?,
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try unlessTimedOut(throwing: E.self) {
      try protector.withReadLock(waitingUntil: predicate, timeout: timeout, body)
    }
  }

  package func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, timeout: Duration?,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try unlessTimedOut(throwing: E.self) {
      try protector.withWriteLock(waitingUntil: predicate, timeout: timeout, body)
    }
  }
}

/// A value in an exclusive protector, whose sections of both kinds exclude one another.
package struct ValueBehindExclusiveLock<Value: Sendable>: WaitableValue {
  private let protector: ExclusiveProtector<Value>

  init(_ value: Value) {
    protector = ExclusiveProtector(value)
  }

  package func withReadLock<R: ~Copyable, E: Error>(
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try protector.withLock { value throws(E) in try body(value) }
  }

  package func withWriteLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try protector.withLock(body)
  }

  package func exchange(_ new: Value) -> Value {
    protector.exchange(new)
  }

  package func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, timeout: Duration?,
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try unlessTimedOut(throwing: E.self) {
      try protector.withLock(waitingUntil: predicate, timeout: timeout) { value throws(E) in try body(value) }
    }
  }

  package func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, timeout: Duration?,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try unlessTimedOut(throwing: E.self) {
      try protector.withLock(waitingUntil: predicate, timeout: timeout, body)
    }
  }
}
