// Replacing the value without running its deinit under the lock.
//
// A plain assignment in a write section ends the old value at once, in the section, and nothing can be done about that from
// outside: whether there will be an assignment is not known before it, and a copy taken on suspicion would cost each section
// the reference counting and would make containers copy their elements when they are changed in place. So the forms in which
// the old value survives the section are forms of their own.

extension LockProtector where Value: ~Copyable, Lock: ~Copyable {
  /// Puts `new` in the value's place and returns the old one.
  ///
  /// The old value belongs to the caller: where it is not used, it is destroyed after the lock was released and those who
  /// waited for the new value were woken, and its deinit may use the protector. (`withWriteLock { $0 = new }` destroys
  /// it inside the section: a deinit that then takes the same lock traps. See also `withWriteLockKeepingOldValue(_:)`.)
  ///
  /// It waits while another thread is in a section, and traps inside a write section of the same protector.
  ///
  /// - Parameter new: The value from now on.
  /// - Returns: The value until now.
  /// - Complexity: That of the lock, plus one load.
  @inlinable
  @discardableResult
  public func exchange(_ new: consuming sending Value) -> sending Value {
    var other = CarriedValue<Value>()
    other.put(new)
    write { unsafe other.changePlaces(with: &value) }
    return other.take()
  }

  /// Puts what `makeNew` makes of the value in its place and returns the old one.
  ///
  /// The write section for a replacement that depends on the old value:
  ///
  /// ```swift
  /// let retired = configuration.exchange { Configuration(basedOn: $0) }
  /// ```
  ///
  /// As with `exchange(_:)`, the old value belongs to the caller and is destroyed after the lock was released.
  ///
  /// It waits while another thread is in a section, and traps inside a write section of the same protector.
  ///
  /// - Parameter makeNew: Makes the new value, in the section.
  /// - Returns: The value until now.
  /// - Throws: What `makeNew` throws; the old value stays in its place.
  /// - Complexity: That of the lock, plus one load.
  @inlinable
  @discardableResult
  public func exchange<E: Error>(
    with makeNew: (inout sending Value) throws(E) -> sending Value
  ) throws(E) -> sending Value {
    var other = CarriedValue<Value>()
    try write { () throws(E) in
      other.put(try unsafe makeNew(&value))
      unsafe other.changePlaces(with: &value)
    }
    return other.take()
  }
}

extension LockProtector where Value: Sendable, Lock: ~Copyable {
  /// Runs `body` in a write section, and keeps the value as it was before until the section has ended.
  ///
  /// What `body` replaces or removes, the whole value or parts of it, ends after the lock was released and those who waited
  /// for the change were woken, also when `body` throws; the deinit of what ends then may use the protector:
  ///
  /// ```swift
  /// connection.withWriteLockKeepingOldValue { $0 = nil }
  /// handlers.withWriteLockKeepingOldValue { $0.removeAll { $0.isObsolete } }
  /// ```
  ///
  /// The old value is kept as a copy. For references and for values that are replaced as a whole, that costs a retain and
  /// a release. A container that `body` changes in place has to copy its elements, because the copy shares them: there,
  /// prefer to return from `withWriteLock(_:)` what was removed, which ends outside the section as well. Values that
  /// `body` makes and drops end where it drops them.
  ///
  /// The value has to be `Sendable`, because the old one and the new one may share objects, which others use as soon as
  /// the lock is released. For other values, and for noncopyable ones, there is `exchange(_:)`.
  ///
  /// It waits while another thread is in a section, and traps inside a write section of the same protector.
  ///
  /// - Parameter body: What to do with the value.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; changes that it made before stay.
  /// - Complexity: That of the lock, plus a copy of the value and one load.
  @inlinable
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

  /// A copy of the value as it is now.
  ///
  /// It waits while another thread writes, and traps inside a write section of the same protector. What is done with
  /// the copy happens outside the lock; it may be out of date by then.
  ///
  /// - Complexity: That of a read section, plus a copy.
  @inlinable
  public var snapshot: Value {
    withReadLock { $0 }
  }
}
