public import ReadWriteLocks

/// A value that can't be touched without its lock.
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
/// The value is handed to a closure and to nothing else; the compiler refuses to change it in a read section and, for
/// what is not `Sendable`, to keep it beyond the section. The lock is a type of its own, chosen in the type:
/// `Protector` and `ExclusiveProtector` are the two that most programs need.
///
/// What concerns `Sendable` is checked in modules in Swift 6 mode: in Swift 5 mode, values are shared and kept without an error.
///
/// - Warning: One hole is left in that: the compiler (6.3) lets a section *return* a reference that is not `Sendable`, the
///   value itself or one in it (`{ $0 }`), although it stays behind the lock as well. Return what is `Sendable`, or use
///   `exchange(_:)`, which leaves nothing behind.
///
/// - **Blocking, fairness, deadlocks**: those of `Lock`. Sections of one protector do not nest: a section inside a
///   write section traps with every lock of this package that can tell.
/// - **Waiting**: a section can wait until a predicate on the value holds, see
///   `withWriteLock(waitingUntil:_:)`. The end of each write section looks whether it has made one true; when
///   nobody waits, that is one load.
/// - **Replaced values**: what is destroyed inside a section runs its deinit there, which traps if it uses the same
///   protector. `exchange(_:)` hands the old value out, `withWriteLockKeepingOldValue(_:)` keeps it until after the
///   section, and what a section returns ends outside it.
/// - **Size**: one allocation that holds the lock, the value and 24 bytes for those who wait; none per access.
///
/// Do as little as possible in a section: other threads may be waiting. Don't call code that you don't know.
public final class LockProtector<Value: ~Copyable, Lock: ReadWriteLock & ~Copyable>: Sendable {
  @usableFromInline
  let lock: Lock

  // Sound: only used inside sections of `lock`, mutated only in write sections; the dynamic check would repeat at run
  // time what the lock already ensures.
  @exclusivity(unchecked)
  @usableFromInline
  nonisolated(unsafe) var value: Value

  @usableFromInline
  let waiters = WaitQueue()

  /// How often those who wait look before they sleep.
  // Sound: only used inside write sections of `lock`; the dynamic check would repeat what the lock ensures.
  @exclusivity(unchecked)
  @usableFromInline
  nonisolated(unsafe) var adaptiveSpin = AdaptiveSpin()

  /// Puts `value` behind `lock`.
  ///
  /// - Parameters:
  ///   - value: The value; nobody else may keep a reference into it, which the compiler checks in Swift 6 mode.
  ///   - lock: The lock, which belongs to the protector from now on.
  @inlinable
  public init(_ value: consuming sending Value, lock: consuming Lock) {
    self.lock = lock
    unsafe self.value = value
  }

  // MARK: Writing

  /// Runs `body` with the value, while nobody else reads or writes it.
  ///
  /// It waits while another thread is in a section, and traps inside a write section of the same protector (with the
  /// locks that know their writer: all of this package).
  ///
  /// - Parameter body: What to do with the value. It may change or replace it; a value that it replaces is destroyed
  ///   inside the section, unless `body` returns it (see `exchange(_:)` and `withWriteLockKeepingOldValue(_:)`).
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; changes that it made before stay.
  /// - Complexity: That of the lock, plus one load when nobody waits for the value, and an evaluation of each waiting
  ///   thread's predicate otherwise.
  @inlinable
  @inline(__always)
  public func withWriteLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try write { () throws(E) -> sending R in
      try unsafe body(&value)
    }
  }

  /// A write section, with what it owes to those who wait.
  @inlinable
  @inline(__always)
  func write<R: ~Copyable, E: Error>(_ body: () throws(E) -> sending R) throws(E) -> sending R {
    var served = ServedWaiters()
    defer { if served.isNotEmpty { served.wake() } }
    return try lock.withWriteLock { () throws(E) -> sending R in
      // Nobody waits: one load. `WaitQueue` says why it stands before the unlock and the wake-up after it.
      defer { if waiters.isNotEmpty { served = serveWaiters() } }
      return try body()
    }
  }

  /// Decides, at the end of a write section, who is woken after it.
  @inlinable
  @inline(__always)
  func serveWaiters() -> ServedWaiters {
    // The address of what has no bytes is whatever a register has, 0 for instance, to optimised code.
    if MemoryLayout<Value>.size == 0 {
      return unsafe waiters.serve(UnsafeRawPointer(bitPattern: MemoryLayout<Value>.alignment)!)
    }
    // Sound: the calling thread is in a write section, so the value stays where and what it is.
    return unsafe withUnsafeMutablePointer(to: &value) { unsafe waiters.serve(UnsafeRawPointer($0)) }
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: ~Copyable {
  // MARK: Reading
  // Several threads read at the same time, which only values that are `Sendable` permit.

  /// Runs `body` with the value, while nobody writes it; others may read it at the same time.
  ///
  /// It waits while another thread writes, and traps inside a write section of the same protector (with the locks
  /// that know their writer: all of this package).
  ///
  /// - Parameter body: What to do with the value.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  /// - Complexity: That of the lock, plus nothing.
  @inlinable
  @inline(__always)
  public func withReadLock<R: ~Copyable, E: Error>(
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try lock.withReadLock { () throws(E) -> sending R in
      try unsafe body(value)
    }
  }
}
