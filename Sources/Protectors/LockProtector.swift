public import InterlockCore
public import ReadWriteLocks

/// A value that is accessible only while its lock is held.
///
/// ```swift
/// let accounts = Protector(["Ann": 100, "Bob": 50])
///
/// accounts.withWriteLock { accounts in
///   accounts["Ann", default: 0] -= 30
///   accounts["Bob", default: 0] += 30
/// }
/// let total = accounts.withReadLock { $0.values.reduce(0, +) }
/// ```
///
/// Only a closure gets the value. The compiler refuses to change the value in a read section. If the value is
/// not `Sendable`, the compiler also refuses to keep it beyond the section. The lock is part of the type.
/// Most programs need only `Protector` and `ExclusiveProtector`.
///
/// The compiler enforces the rules for `Sendable` only in modules in Swift 6 mode. In Swift 5 mode it accepts
/// code that shares or keeps values that are not `Sendable`.
///
/// - Warning: The compiler's check has one gap. Version 6.3 lets a section *return* a reference that is not
///   `Sendable`, the value itself or one in it (`{ $0 }`), although the protector still refers to the object.
///   Return only `Sendable` values, or use `exchange(_:)`, which leaves no reference behind.
///
/// - **Blocking, fairness, deadlocks**: as documented by the lock's type, `Lock`. Sections of one protector
///   do not nest: a section inside a write section traps with every lock of this package.
/// - **Waiting**: a section can wait until a predicate on the value holds, see
///   `withWriteLock(waitingUntil:_:)`. The end of each write section checks whether it has made a predicate
///   true. When no thread waits, that is one load.
/// - **Replaced values**: a value that is destroyed inside a section runs its deinit there. The deinit traps
///   if it uses the same protector. `exchange(_:)` and `exchange(with:)` return the old value, and the result
///   of a section is destroyed outside it.
/// - **Size**: one allocation, for the lock, the value and 16 bytes for waiting. An access that does not wait
///   allocates nothing.
///
/// Keep sections short, because other threads may be waiting. Don't call unknown code in a section.
@_fixed_layout  // With library evolution, the inlinable initializer needs it.
// `@unchecked Sendable` is sound: see `GuardedValue`.
public final class LockProtector<Value: ~Copyable, Lock: ReadWriteLock & ~Copyable>:
  GuardedValue<Value, Lock>, @unchecked Sendable
{
  /// Makes a protector with a value and its lock.
  ///
  /// - Parameters:
  ///   - value: The value. No other code may keep a reference into it, which the compiler checks in Swift 6
  ///     mode.
  ///   - lock: The lock, which the protector owns.
  ///   - label: The protector's name in deadlock reports about waits for its predicates. Other reports have
  ///     the lock's label. Without the package trait `DeadlockDetection` it costs nothing.
  ///   - file: The source file that makes the protector, for deadlock reports.
  ///   - line: The source line that makes the protector, for deadlock reports.
  @_alwaysEmitIntoClient
  public convenience init(
    _ value: consuming sending Value, lock: consuming Lock, label: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(value, lock: lock, Primitive(.predicate, label, file, line))
  }

  @_alwaysEmitIntoClient
  override init(_ value: consuming sending Value, lock: consuming Lock, _ predicate: Primitive) {
    super.init(value, lock: lock, predicate)
  }

  // MARK: Writing

  /// Runs `body` with the value, while no other thread reads or writes it.
  ///
  /// Blocks while another thread is in a section. Traps inside a write section of the same protector, if the
  /// lock detects recursion. All locks of this package do. Inside a read section it traps or deadlocks, as
  /// the lock's type documents.
  ///
  /// - Parameter body: Reads or changes the value. It may replace the value. The replaced value is destroyed
  ///   inside the section, unless `body` returns it (see `exchange(_:)`).
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  /// - Complexity: Same as the lock, plus one load when no thread waits for a predicate. Otherwise, plus at
  ///   most one evaluation of the predicate of each waiting thread.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try write { () throws(E) -> sending R in
      try unsafe body(&data)
    }
  }

  /// Runs `body` in a write section, then notifies the threads whose predicates have become true.
  @_alwaysEmitIntoClient
  @inline(always)
  func write<R: ~Copyable, E: Error>(_ body: () throws(E) -> sending R) throws(E) -> sending R {
    var served = Waiters()
    return try runSection {
      () throws(E) in
      try ownLock.withWriteLock { () throws(E) -> sending R in
        predicate.willSatisfy()
        // Serve before the unlock, so that no wake-up is lost (see the header of `WaitQueue`); wake after the
        // unlock. `isNotEmpty` is one load.
        return try runSection(body) {
          if waiters.isNotEmpty { served = serveWaiters() }
          ProcessBarrier.light()
        }
      }
    } end: {
      if served.isNotEmpty { served.wake() }
    }
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: ~Copyable {
  // MARK: Reading
  // Read sections of several threads run at the same time, so they require a `Sendable` value.

  /// Runs `body` with the value in a read section: no thread writes the value, but other threads may read it.
  ///
  /// Blocks while another thread writes and, depending on the lock, while one waits to write or reads. Traps
  /// inside a write section of the same protector, if the lock detects recursion. All locks of this package
  /// do. Inside a read section it can trap or deadlock, as the lock's type documents.
  ///
  /// A key path such as `\.count` can stand for the closure. A key path in a variable can't: write
  /// `{ $0[keyPath: path] }`.
  ///
  /// - Parameter body: Reads the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  /// - Complexity: Same as the lock.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withReadLock<R: ~Copyable, E: Error>(
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try ownLock.withReadLock { () throws(E) -> sending R in
      // The lock may end with a plain store, behind which a retain of the result could move.
      try runSection { () throws(E) in
        try unsafe body(data)
      } end: {
        ProcessBarrier.light()
      }
    }
  }
}
