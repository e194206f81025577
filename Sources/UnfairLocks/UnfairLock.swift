public import InterlockCore

#if DeadlockDetection
  // Links the detector, which the core calls.
  internal import DeadlockDetection
#endif

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
public struct UnfairLock: ~Copyable, RawLock {
  @usableFromInline
  let core: UnfairLockCore

  /// The connection to the tools.
  @usableFromInline
  package let probe: Probe

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
    probe = Probe(primitive)
  }

  @_alwaysEmitIntoClient
  deinit {
    core.checkFree(for: probe.primitive(.unfairLock))
  }

  // MARK: RawLock

  /// Promises that this type keeps the rules of `RawLock`; does nothing.
  @_documentation(visibility: internal)
  @unsafe public static func unsafePromiseOfMutualExclusion() {
    // One thread at a time holds the lock, by invariant 1 of `UnfairLockCore`, or on Darwin by
    // `os_unfair_lock`.
  }

  /// The lock's type, as traps and reports name it.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  public static var kind: PrimitiveKind { .unfairLock }

  /// The connection to the tools; see `RawLock.probe(of:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  public static func probe(of lock: borrowing UnfairLock) -> Probe { lock.probe }

  /// Acquires the lock; see `RawLock.unsafeLock(_:until:for:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  @unsafe
  public static func unsafeLock(
    _ lock: borrowing UnfairLock, until deadline: Deadline, for primitive: Primitive
  ) -> Bool {
    lock.core.lock(until: deadline, for: primitive)
  }

  /// Whether the lock can be reserved; see `RawLock.isReservable`.
  @_documentation(visibility: internal)
  @unsafe public static var isReservable: Bool { UnfairLockCore.isReservable }

  /// Acquires the lock for a thread for which it may be reserved; see `RawLock.unsafeLockServed(_:until:for:)`.
  @_documentation(visibility: internal)
  @unsafe
  public static func unsafeLockServed(
    _ lock: borrowing UnfairLock, until deadline: Deadline, for primitive: Primitive
  ) -> Bool {
    lock.core.lockServed(until: deadline, for: primitive)
  }

  /// Releases the lock; see `RawLock.unsafeUnlock(_:for:)`.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @_transparent
  @unsafe
  public static func unsafeUnlock(_ lock: borrowing UnfairLock, for primitive: Primitive) {
    lock.core.unlock(for: primitive)
  }

  // MARK: Ownership

  /// A Boolean value that indicates whether the calling thread holds the lock.
  ///
  /// For functions that call back into themselves: a second acquisition traps. To require that the lock is held, use
  /// `precondition(_:_:)`.
  ///
  /// - Complexity: A load, and the thread's number.
  @_alwaysEmitIntoClient
  public var isHeldByCurrentThread: Bool { core.isHeldByCurrentThread }

  /// A condition that `precondition(_:_:)` can require of the calling thread.
  @frozen
  public struct Ownership: Sendable {
    // No enumeration, whose conformances take 2 KB of each program, and no `Bool`, which takes 0.7 more than an
    // integer.
    @usableFromInline
    let code: UInt8

    @_alwaysEmitIntoClient
    init(code: UInt8) {
      self.code = code
    }

    /// The calling thread holds the lock.
    @_alwaysEmitIntoClient
    public static var owner: Ownership { Ownership(code: 1) }
    /// The calling thread does not hold the lock; another thread may hold it.
    @_alwaysEmitIntoClient
    public static var notOwner: Ownership { Ownership(code: 0) }
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
    guard core.isHeldByCurrentThread != (condition.code == 1) else { return }
    Self.trapWrongOwner(probe.primitive(.unfairLock), required: condition, message())
  }

  @usableFromInline
  @inline(never)
  static func trapWrongOwner(_ primitive: Primitive, required: Ownership, _ message: String) -> Never {
    let note = message.isEmpty ? "" : " (\(message))"
    if required.code == 1 {
      misuse(
        primitive, "the calling thread does not hold the lock that it must hold here\(note)",
        "enter through withLock first")
    }
    misuse(
      primitive, "the calling thread holds the lock that it must not hold here\(note)",
      "leave the section first")
  }
}
