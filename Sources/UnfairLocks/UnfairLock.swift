public import PlatformLocks

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
/// The lock is a noncopyable value stored inline where it is declared; it can't be copied. Declare it with `let`: in Swift 6
/// mode a `Sendable` class refuses a `var`. To put a value behind it, so that the value can't be touched without the lock, use
/// `ExclusiveProtector`.
///
/// A class can guard fields that are not `Sendable`, as with `NSLock`. They need the same mark, because the compiler can't know
/// what the lock guards:
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
/// A section's result may be used by other threads, so the compiler refuses one that the body has captured from the caller and
/// that is not `Sendable`. Use that after the section instead of returning it. An `ExclusiveProtector` needs no mark, and
/// takes closures and objects in with `withLock(sending:_:)`.
///
/// - **Fairness**: none by order. A thread that arrives when the lock is free takes it, also when others have waited
///   for longer (barging). This keeps throughput when threads outnumber processors: a lock that hands itself to a
///   sleeping thread stands idle until that thread runs. Sleeping threads are woken in the order in which they went to
///   sleep, and one that was woken in vain four times makes the lock go round among the sleeping threads until its turn:
///   no thread starves.
/// - **Blocking**: waiting threads spin for a few microseconds, then sleep in the kernel.
/// - **Recursion**: traps. So does destroying the lock while it is held.
/// - **Deadlocks it permits**: two threads that take two locks in opposite orders; a section that waits for a thread
///   which needs the lock.
/// - **Priorities**: on Darwin the owner inherits the priority of threads that wait without a limit (`os_unfair_lock`); on
///   Linux it does not. On Darwin a thread that waits with a limit tries the lock again and again, and yields in between: it
///   donates no priority, and uses its processor until it has the lock or its time has passed. Prefer waits without a
///   limit there.
/// - **Size**: 4 bytes.
public struct UnfairLock: ~Copyable, Sendable {
  @usableFromInline
  let core: UnfairLockCore

  /// Makes a lock that is free.
  @inlinable
  public init() {
    core = UnfairLockCore()
  }

  @inlinable
  deinit {
    core.checkFree()
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
  /// It waits for as long as another thread holds the lock, and traps when the calling thread does.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; the lock is released first.
  /// - Complexity: O(1) when the lock is free: one compare-exchange to take it and one exchange to release it.
  @inlinable
  public borrowing func withLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    core.lock(for: .unfairLock)
    defer { core.unlock(for: .unfairLock) }
    return try body()
  }

  /// Runs `body` while holding the lock, if the lock is free now; it never waits.
  ///
  /// It does not fail for any other reason than that a thread, which may be the calling one, holds the lock, or that the
  /// lock is being handed to a thread that waits.
  ///
  /// - Returns: What `body` returns; `nil` when the lock is held and `body` was not run.
  /// - Throws: What `body` throws; the lock is released first.
  @inlinable
  public borrowing func withLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard core.tryLock() else { return nil }
    defer { core.unlock(for: .unfairLock) }
    return try body()
  }

  /// Runs `body` while holding the lock, if the lock can be had within `timeout`.
  ///
  /// It blocks its thread for `timeout` at most while another thread holds the lock; there is no asynchronous form.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait at most, on the monotonic clock. `.zero` tries once; a negative one traps; one that
  ///     the clock can't represent waits for ever.
  ///   - body: What to run under the lock; its own time does not count.
  /// - Returns: What `body` returns; `nil` when the time passed first and `body` was not run.
  /// - Throws: What `body` throws; the lock is released first.
  ///
  /// It traps when the calling thread holds the lock and `timeout` is not zero: the wait could only fail.
  @inlinable
  public borrowing func withLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    let timeout = Timeout(timeout, for: "UnfairLock")
    guard core.lock(timeout: timeout, for: .unfairLock) else { return nil }
    defer { core.unlock(for: .unfairLock) }
    return try body()
  }

  // MARK: Sections that may not run and return nothing
  // The generic forms would return `Void?`, which the compiler lets a caller ignore without a word.

  /// Runs `body` while holding the lock, if the lock is free now; it never waits.
  ///
  /// The form for a body that returns nothing.
  ///
  /// - Returns: Whether `body` was run; `false` when the lock is held.
  /// - Throws: What `body` throws; the lock is released first.
  @inlinable
  public borrowing func withLockIfAvailable<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Bool {
    let done: Void? = try withLockIfAvailable { () throws(E) in try body() }
    return done != nil
  }

  /// Runs `body` while holding the lock, if the lock can be had within `timeout`.
  ///
  /// The form for a body that returns nothing. It traps when the calling thread holds the lock and `timeout` is not zero.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait at most, on the monotonic clock; a negative one traps.
  ///   - body: What to run under the lock; its own time does not count.
  /// - Returns: Whether `body` was run; `false` when the time passed first.
  /// - Throws: What `body` throws; the lock is released first.
  @inlinable
  public borrowing func withLock<E: Error>(
    timeout: Duration, _ body: () throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withLock(timeout: timeout) { () throws(E) in try body() }
    return done != nil
  }

  // MARK: Ownership

  /// What `precondition(_:_:)` can require of the calling thread.
  public enum Ownership: Sendable {
    /// The calling thread holds the lock.
    case owner
    /// The calling thread does not hold the lock; another one may.
    case notOwner
  }

  /// Traps, in every build, unless the calling thread stands to the lock as `condition` says.
  ///
  /// - Parameters:
  ///   - condition: Whether the calling thread must hold the lock or must not.
  ///   - message: Added to what the trap prints.
  @inlinable
  public borrowing func precondition(_ condition: Ownership, _ message: @autoclosure () -> String = "") {
    guard core.isHeldByCurrentThread != (condition == .owner) else { return }
    Self.trapWrongOwner(required: condition, message())
  }

  @usableFromInline
  @inline(never)
  static func trapWrongOwner(required: Ownership, _ message: String) -> Never {
    let note = message.isEmpty ? "" : " (\(message))"
    switch required {
    case .owner:
      misuse(
        "UnfairLock", "the calling thread does not hold the lock that it must hold here\(note)",
        "enter through withLock first")
    case .notOwner:
      misuse(
        "UnfairLock", "the calling thread holds the lock that it must not hold here\(note)",
        "leave the section first")
    }
  }
}
