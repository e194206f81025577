public import InterlockCore
public import UnfairLocks

/// A value behind a mutual-exclusion lock: each section excludes all other threads.
///
/// ```swift
/// let scores = ExclusiveProtector(["Ann": 3])
///
/// scores.withLock { $0["Bob"] = 1 }
/// ```
///
/// Use it for values that are not `Sendable`, and for sections so short that concurrent readers would gain
/// nothing. There are no read sections: each function but `value` is what a write section is in a `Protector`.
/// `LockProtector` documents the rules for values, which are the same here, and a gap in the compiler's check.
///
/// - **Blocking, fairness, deadlocks**: those of `UnfairLock`. A section inside a section of the same
///   protector traps.
/// - **Waiting**: a section can wait until a predicate on the value holds, see `withLock(waitingUntil:_:)`.
/// - **Size**: one allocation, for 4 bytes of the lock, the value and 16 bytes for waiting. An access that does
///   not wait allocates nothing.
@_fixed_layout  // With library evolution, the inlinable initializer needs it.
// `@unchecked Sendable` is sound: see `GuardedValue`.
public final class ExclusiveProtector<Value: ~Copyable>:
  GuardedValue<Value, UnfairLock>, @unchecked Sendable
{
  /// Makes a protector with a value and a new lock.
  ///
  /// - Parameters:
  ///   - value: The value. No other code may keep a reference into it, which the compiler checks in Swift 6
  ///     mode.
  ///   - label: The protector's name in deadlock reports. Without the package trait `DeadlockDetection` it
  ///     costs nothing.
  ///   - file: The source file that makes the protector, for deadlock reports.
  ///   - line: The source line that makes the protector, for deadlock reports.
  @_alwaysEmitIntoClient
  public init(
    _ value: consuming sending Value, label: StaticString = "", file: StaticString = #fileID,
    line: UInt = #line
  ) {
    super.init(
      value, lock: UnfairLock(Primitive(.exclusiveProtector, label, file, line)),
      Primitive(.predicate, label, file, line))
  }
}

extension ExclusiveProtector where Value: ~Copyable {
  /// Runs `body` with the value, while no other thread reads or writes it.
  ///
  /// Blocks while another thread is in a section. Traps inside a section of the same protector.
  ///
  /// - Parameter body: Reads or changes the value. It may replace the value. The replaced value is destroyed
  ///   inside the section, unless `body` returns it (see `exchange(_:)`).
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  /// - Complexity: Same as the lock, plus one load when no thread waits for a predicate. Otherwise, plus at
  ///   most one evaluation of the predicate of each waiting thread.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    beginWriting()
    return try finishWriting { () throws(E) in try unsafe body(&data) }
  }

  /// Runs `body` with the value and with `sent`, while no other thread reads or writes the value.
  ///
  /// Use it to store something that is not `Sendable` in the value: an object, a closure, a noncopyable
  /// value. In `withLock(_:)` the compiler refuses to store such a value if the closure captures it.
  ///
  /// - Parameters:
  ///   - sent: A value that is moved into `body`. No other code may keep a reference into it, which the
  ///     compiler checks in Swift 6 mode.
  ///   - body: Reads or changes the value, and consumes `sent`.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<Sent: ~Copyable, R: ~Copyable, E: Error>(
    sending sent: consuming sending Sent,
    _ body: (inout sending Value, consuming sending Sent) throws(E) -> sending R
  ) throws(E) -> sending R {
    // Sound: the caller has given up the value, and `body` runs only once.
    nonisolated(unsafe) var sent: Sent? = consume sent
    return try withLock { value throws(E) -> sending R in
      nonisolated(unsafe) let taken = unsafe sent.take()!
      return try body(&value, unsafe taken)
    }
  }

  /// Runs `body` with the value, if the lock can be acquired within `timeout`.
  ///
  /// Blocks the calling thread for at most `timeout` while other threads hold the lock. There is no
  /// asynchronous form. Traps inside a section of the same protector when `timeout` is not zero.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for the lock, on the monotonic clock. `.zero` tries once. A
  ///     negative timeout traps. A timeout that the clock can't represent waits forever.
  ///   - body: Reads or changes the value. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`; `nil` if the timeout passed first and `body` was not run.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try write(timeout: timeout, body)
  }

  /// Runs `body` with the value, if the lock can be acquired within `timeout`.
  ///
  /// This overload is for a body that returns nothing. It blocks and traps as the overload for bodies with a
  /// result does.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for the lock, on the monotonic clock. A negative timeout traps.
  ///   - body: Reads or changes the value. The timeout does not limit how long it runs.
  /// - Returns: Whether `body` was run; `false` if the timeout passed first.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  public func withLock<E: Error>(
    timeout: Duration, _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withLock(timeout: timeout) { value throws(E) in try body(&value) }
    return done != nil
  }

  /// Runs `body` with the value, if the lock can be acquired without waiting.
  ///
  /// Inside a section of the same protector it returns `nil`.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: The result of `body`; `nil` when the lock is not available now and `body` was not run.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withLock(timeout: .zero, body)
  }

  /// Runs `body` with the value, if the lock can be acquired without waiting.
  ///
  /// This overload is for a body that returns nothing.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: Whether `body` was run; `false` when the lock is not available now.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  public func withLockIfAvailable<E: Error>(
    _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withLockIfAvailable { value throws(E) in try body(&value) }
    return done != nil
  }
}

// MARK: - What other protectors have

extension ExclusiveProtector where Value: ~Copyable {
  /// Not available, in any form: an exclusive protector has one kind of section.
  @available(*, unavailable, renamed: "withLock", message: "each section excludes all other threads")
  @_alwaysEmitIntoClient
  public func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool = { _ in true }, timeout: Duration? = nil,
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try withLock { value throws(E) in try body(value) }
  }

  /// Not available, in any form: an exclusive protector has one kind of section.
  @available(*, unavailable, renamed: "withLock", message: "each section excludes all other threads")
  @_alwaysEmitIntoClient
  public func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool = { _ in true }, timeout: Duration? = nil,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try withLock(body)
  }
}
