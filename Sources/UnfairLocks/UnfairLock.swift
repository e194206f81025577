public import DeadlockDetector
public import LockSupport

/// A mutual-exclusion lock of four bytes that knows its owner and puts waiting threads to sleep.
///
/// ```swift
/// final class Counter: Sendable {
///   private let lock = UnfairLock()
///   …
///   func touch() { lock.withLock { … } }
/// }
/// ```
///
/// The lock is a noncopyable value that is stored inline where it is declared. Declare it with `let`: in
/// Swift 6 mode a `Sendable` class refuses a `var`. To make a value inaccessible without the lock, use
/// `ExclusiveProtector`.
///
/// A class can guard fields that are not `Sendable`, as with `NSLock`. These fields need the mark
/// `nonisolated(unsafe)`, because the compiler can't know which fields the lock guards:
///
/// ```swift
/// final class Handlers: Sendable {
///   private let lock = UnfairLock()
///   private nonisolated(unsafe) var handlers: [String: () -> Void] = [:]
///
///   func handler(for name: String) -> (() -> Void)? { lock.withLock { handlers[name] } }
/// }
/// ```
///
/// Other threads may use the result of a body, so the compiler refuses to return a captured value that is not
/// `Sendable`. Use a captured value after the call instead of returning it. With an `ExclusiveProtector` no
/// field needs `nonisolated(unsafe)`. Its function `withLock(sending:_:)` can store closures and objects that
/// are not `Sendable`.
///
/// - **Fairness**: barging. A thread that arrives while the lock is free acquires it, even if others have
///   waited for longer. This keeps throughput when threads outnumber processors, because a lock that is
///   handed to a sleeping thread is idle until that thread runs. Sleeping threads are woken in the order in
///   which they went to sleep. After a thread was woken four times without acquiring the lock, the lock is
///   handed from one sleeping thread to the next until that thread has acquired it. So no thread starves.
/// - **Blocking**: waiting threads spin for a few microseconds, then sleep in the kernel.
/// - **Recursion**: traps. Destroying the lock while it is held traps too.
/// - **Deadlocks it permits**: two threads that acquire two locks in opposite orders; a critical section that
///   waits for a thread that needs the lock.
/// - **Priorities**: on Darwin the owner inherits the priority of threads that wait without a timeout
///   (`os_unfair_lock`). On Linux the owner inherits no priority. On Darwin a thread that waits with a
///   timeout donates no priority. It polls the lock, and so uses its processor until it acquires the lock or
///   the timeout has passed. Prefer waits without a timeout on Darwin.
/// - **Size**: 4 bytes.
@frozen
public struct UnfairLock: ~Copyable, Sendable {
  @usableFromInline
  let core: UnfairLockCore

  @usableFromInline
  package let node: LockNode

  /// Makes a lock that is free.
  ///
  /// - Parameters:
  ///   - label: The lock's name in deadlock reports. Without the package trait `DeadlockDetection` it costs
  ///     nothing.
  ///   - file: The source file that makes the lock, for deadlock reports.
  ///   - line: The source line that makes the lock, for deadlock reports.
  @_alwaysEmitIntoClient
  public init(label: StaticString = "", file: StaticString = #fileID, line: UInt = #line) {
    self.init(Primitive(.unfairLock, label, file, line))
  }

  /// Makes a free lock, which traps and reports identify as `primitive`.
  @_alwaysEmitIntoClient
  package init(_ primitive: Primitive) {
    core = UnfairLockCore()
    node = LockNode(primitive)
  }

  @_alwaysEmitIntoClient
  deinit {
    core.checkFree(for: node.primitive(.unfairLock))
  }

  // MARK: Access

  /// Runs `body` while holding the lock.
  ///
  /// Equivalent to
  /// ```swift
  /// func withLock<R>(_ body: () throws -> R) rethrows -> R {
  ///   lock()
  ///   defer { unlock() }
  ///   return try body()
  /// }
  /// ```
  /// Blocks while another thread holds the lock. Traps when the calling thread holds the lock.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  /// - Complexity: O(1) when the lock is free: one compare-exchange to acquire it and one to release it.
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    beginAccess(for: .unfairLock)
    defer { endAccess(for: .unfairLock) }
    return try body()
  }

  /// Runs `body` while holding the lock, if the lock is free now; never waits.
  ///
  /// It returns `nil` if a thread, possibly the calling one, holds the lock, or if the lock is being handed
  /// to a waiting thread.
  ///
  /// - Returns: The result of `body`; `nil` when the lock is not available now and `body` was not run.
  /// - Throws: The error of `body`; the lock is released first.
  @_alwaysEmitIntoClient
  public borrowing func withLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard tryAccess() else { return nil }
    defer { endAccess(for: .unfairLock) }
    return try body()
  }

  /// Runs `body` while holding the lock, if the lock can be acquired within `timeout`.
  ///
  /// Blocks the calling thread for at most `timeout` while another thread holds the lock. There is no
  /// asynchronous form. Traps when the calling thread holds the lock and `timeout` is not zero, because that
  /// wait could only fail.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` tries once. A negative timeout
  ///     traps. A timeout that the clock can't represent waits for ever.
  ///   - body: Runs under the lock. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`; `nil` if the timeout passed first and `body` was not run.
  /// - Throws: The error of `body`; the lock is released first.
  @_alwaysEmitIntoClient
  public borrowing func withLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    let timeout = Timeout(timeout, for: node.primitive(.unfairLock))
    guard beginAccess(timeout: timeout, for: .unfairLock) else { return nil }
    defer { endAccess(for: .unfairLock) }
    return try body()
  }

  // MARK: Sections that may not run and return nothing
  // The overloads for bodies that return nothing return whether the body ran. The generic functions would
  // return `Void?`, and the compiler does not warn when a caller ignores a `Void?` result.

  /// Runs `body` while holding the lock, if the lock is free now; never waits.
  ///
  /// This overload is for a body that returns nothing.
  ///
  /// - Returns: Whether `body` was run; `false` when the lock is not available now.
  /// - Throws: The error of `body`; the lock is released first.
  @_alwaysEmitIntoClient
  public borrowing func withLockIfAvailable<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Bool {
    let done: Void? = try withLockIfAvailable { () throws(E) in try body() }
    return done != nil
  }

  /// Runs `body` while holding the lock, if the lock can be acquired within `timeout`.
  ///
  /// This overload is for a body that returns nothing. Traps when the calling thread holds the lock and
  /// `timeout` is not zero.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait, on the monotonic clock. A negative timeout traps.
  ///   - body: Runs under the lock. The timeout does not limit how long it runs.
  /// - Returns: Whether `body` was run; `false` if the timeout passed first.
  /// - Throws: The error of `body`; the lock is released first.
  @_alwaysEmitIntoClient
  public borrowing func withLock<E: Error>(
    timeout: Duration, _ body: () throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withLock(timeout: timeout) { () throws(E) in try body() }
    return done != nil
  }

  // MARK: Ownership

  /// A condition that `precondition(_:_:)` can require of the calling thread.
  public enum Ownership: Sendable {
    /// The calling thread holds the lock.
    case owner
    /// The calling thread does not hold the lock; another thread may hold it.
    case notOwner
  }

  /// Checks, in release builds too, that the calling thread satisfies `condition`.
  ///
  /// Traps if the thread does not hold the lock and `condition` is `.owner`, or if it holds the lock and
  /// `condition` is `.notOwner`.
  ///
  /// - Parameters:
  ///   - condition: Whether the calling thread must hold the lock, or must not hold it.
  ///   - message: A text to include in the trap message; evaluated only if the check fails.
  @_alwaysEmitIntoClient
  public borrowing func precondition(_ condition: Ownership, _ message: @autoclosure () -> String = "") {
    guard core.isHeldByCurrentThread != (condition == .owner) else { return }
    Self.trapWrongOwner(node.primitive(.unfairLock), required: condition, message())
  }

  @usableFromInline
  @inline(never)
  static func trapWrongOwner(_ primitive: Primitive, required: Ownership, _ message: String) -> Never {
    let note = message.isEmpty ? "" : " (\(message))"
    switch required {
    case .owner:
      misuse(
        primitive, "the calling thread does not hold the lock that it must hold here\(note)",
        "enter through withLock first")
    case .notOwner:
      misuse(
        primitive, "the calling thread holds the lock that it must not hold here\(note)",
        "leave the section first")
    }
  }
}
