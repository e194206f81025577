// Functions that replace the value and don't run the old value's deinit under the lock.
//
// A plain assignment in a write section destroys the old value immediately, inside the section.
// `withWriteLock` can't prevent that. It does not know in advance whether its body assigns. To keep a copy as
// a precaution would cost each section a retain and a release, and would make containers copy their elements.
// So separate functions keep the old value until after the section.

extension LockProtector where Value: ~Copyable, Lock: ~Copyable {
  /// Replaces the value with `new` and returns the old value.
  ///
  /// The caller owns the old value. An ignored value is destroyed after the lock is released and waiting
  /// threads are notified, so its deinit may use the protector. In contrast, `withWriteLock { $0 = new }`
  /// destroys the old value inside the section, where a deinit that acquires the same lock traps. See also
  /// `withWriteLockKeepingOldValue(_:)`.
  ///
  /// Blocks while another thread is in a section. Traps inside a write section of the same protector. Inside
  /// a read section it traps or deadlocks, as the lock's type documents.
  ///
  /// - Parameter new: The new value.
  /// - Returns: The old value.
  /// - Complexity: Same as the lock, plus one load to check whether threads wait.
  @_alwaysEmitIntoClient
  @discardableResult
  public func exchange(_ new: consuming sending Value) -> sending Value {
    // Sound, in both `exchange` functions: the caller gives up the new value, and the protector no longer
    // stores the old value.
    nonisolated(unsafe) var new: Value? = consume new
    return write {
      nonisolated(unsafe) let old = unsafe Swift.exchange(&value, with: new.take()!)
      return unsafe old
    }
  }

  /// Replaces the value with the result of `makeNew`, and returns the old value.
  ///
  /// Use it when the new value depends on the old one:
  ///
  /// ```swift
  /// let retired = configuration.exchange { Configuration(basedOn: $0) }
  /// ```
  ///
  /// As with `exchange(_:)`, the caller owns the old value, which is destroyed after the lock is released.
  ///
  /// - Warning: `makeNew` must not return the reference that it gets. The compiler should refuse
  ///   `exchange(with: { $0 })`, but version 6.3 accepts it, also for a class that is not `Sendable`. The
  ///   caller and the protector then share the object.
  ///
  /// Blocks while another thread is in a section. Traps inside a write section of the same protector. Inside
  /// a read section it traps or deadlocks, as the lock's type documents.
  ///
  /// - Parameter makeNew: Makes the new value, in the section.
  /// - Returns: The old value.
  /// - Throws: The error of `makeNew`. In that case the value is not replaced.
  /// - Complexity: Same as the lock, plus one load to check whether threads wait.
  @_alwaysEmitIntoClient
  @discardableResult
  public func exchange<E: Error>(
    with makeNew: (inout sending Value) throws(E) -> sending Value
  ) throws(E) -> sending Value {
    try write { () throws(E) in
      let new = try unsafe makeNew(&value)
      nonisolated(unsafe) let old = unsafe Swift.exchange(&value, with: new)
      return unsafe old
    }
  }
}

extension LockProtector where Value: Sendable, Lock: ~Copyable {
  /// Runs `body` in a write section, and keeps a copy of the old value until the section has ended.
  ///
  /// If `body` replaces or removes the value or parts of it, the old parts are destroyed only after the lock
  /// is released and waiting threads are notified, even if `body` throws. So their deinits may use the
  /// protector:
  ///
  /// ```swift
  /// connection.withWriteLockKeepingOldValue { $0 = nil }
  /// handlers.withWriteLockKeepingOldValue { $0.removeAll { $0.isObsolete } }
  /// ```
  ///
  /// For references, and for values that are replaced as a whole, the copy costs a retain and a release. A
  /// container that `body` changes in place must copy its elements, because the copy shares them. For
  /// containers, prefer to return the removed elements from `withWriteLock(_:)`: the caller then destroys
  /// them, outside the section. Values that `body` itself makes and drops are destroyed inside the section.
  ///
  /// The value must be `Sendable`. The old and the new value may share objects, which other threads use as
  /// soon as the lock is released. For values that are not `Sendable` or are noncopyable, use `exchange(_:)`.
  ///
  /// Blocks while another thread is in a section. Traps inside a write section of the same protector. Inside
  /// a read section it traps or deadlocks, as the lock's type documents.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  /// - Complexity: Same as the lock, plus a copy of the value and one load to check whether threads wait.
  @_alwaysEmitIntoClient
  public func withWriteLockKeepingOldValue<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    var old: Value?
    defer { withExtendedLifetime(old) {} }
    return try write { () throws(E) -> sending R in
      unsafe old = value
      return try unsafe body(&value)
    }
  }

  /// A copy of the current value.
  ///
  /// Blocks and traps as `withReadLock(_:)` does. The caller uses the copy outside the lock, so the copy may
  /// be out of date by then.
  ///
  /// - Complexity: That of a read section, plus a copy.
  @_alwaysEmitIntoClient
  public var snapshot: Value {
    withReadLock { $0 }
  }
}
