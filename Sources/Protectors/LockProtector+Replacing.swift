// Functions that replace the value without running its deinit under the lock.
//
// A plain assignment in a write section destroys the old value immediately, inside the section.
// `withWriteLock` can't prevent that. It does not know in advance whether its body assigns, and a
// precautionary copy would cost each section a retain and a release, and would make containers copy their
// elements. So separate functions keep the old value beyond the section.

extension LockProtector where Value: ~Copyable, Lock: ~Copyable {
  /// Replaces the value by `new` and returns the old value.
  ///
  /// The caller owns the old value. An ignored value is destroyed after the lock is released and waiting
  /// threads are notified, so its deinit may use the protector. (`withWriteLock { $0 = new }` destroys the
  /// old value inside the section. A deinit that acquires the same lock traps there. See also
  /// `withWriteLockKeepingOldValue(_:)`.)
  ///
  /// Blocks while another thread is in a section. Traps inside a write section of the same protector.
  ///
  /// - Parameter new: The new value.
  /// - Returns: The old value.
  /// - Complexity: Same as the lock, plus one load.
  @_alwaysEmitIntoClient
  @discardableResult
  public func exchange(_ new: consuming sending Value) -> sending Value {
    // Sound, here and below: the new value is given up by the caller, and the old one is no longer stored.
    nonisolated(unsafe) var new: Value? = consume new
    return write {
      nonisolated(unsafe) let old = unsafe Swift.exchange(&value, with: new.take()!)
      return unsafe old
    }
  }

  /// Replaces the value by what `makeNew` returns, and returns the old value.
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
  /// Blocks while another thread is in a section. Traps inside a write section of the same protector.
  ///
  /// - Parameter makeNew: Makes the new value, in the section.
  /// - Returns: The old value.
  /// - Throws: The error of `makeNew`; then the value is not replaced.
  /// - Complexity: Same as the lock, plus one load.
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
  /// Whatever `body` replaces or removes, the whole value or parts of it, is destroyed only after the lock is
  /// released and waiting threads are notified. This also holds when `body` throws. So deinits that run then
  /// may use the protector:
  ///
  /// ```swift
  /// connection.withWriteLockKeepingOldValue { $0 = nil }
  /// handlers.withWriteLockKeepingOldValue { $0.removeAll { $0.isObsolete } }
  /// ```
  ///
  /// For references, and for values that are replaced as a whole, the copy costs a retain and a release. A
  /// container that `body` changes in place must copy its elements, because the copy shares them. For
  /// containers, prefer to return the removed elements from `withWriteLock(_:)`, which destroys them outside
  /// the section as well. Values that `body` itself makes and drops are destroyed inside the section.
  ///
  /// The value must be `Sendable`. The old and the new value may share objects, which other threads use as
  /// soon as the lock is released. For other values, and for noncopyable ones, use `exchange(_:)`.
  ///
  /// Blocks while another thread is in a section. Traps inside a write section of the same protector.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; changes that it made before stay.
  /// - Complexity: Same as the lock, plus a copy of the value and one load.
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
  /// Blocks while another thread writes. Traps inside a write section of the same protector. The copy is used
  /// outside the lock, so it may be out of date by then.
  ///
  /// - Complexity: That of a read section, plus a copy.
  @_alwaysEmitIntoClient
  public var snapshot: Value {
    withReadLock { $0 }
  }
}
