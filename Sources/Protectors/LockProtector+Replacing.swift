// Replacing the value without running its deinit under the lock.

extension LockProtector where Value: ~Copyable, Lock: ~Copyable {
  /// Puts `new` in the value's place and returns the old one.
  ///
  /// The old value belongs to the caller: where it is not used, it is destroyed after the lock was let go, and its
  /// deinit may use the protector. (`withWriteLock { $0 = new }` destroys it inside the section: a deinit that then
  /// takes the same lock traps.)
  ///
  /// It waits while another thread is in a section, and traps inside a write section of the same protector.
  ///
  /// - Parameter new: The value from now on.
  /// - Returns: The value until now.
  /// - Complexity: That of the lock, plus one load.
  @inlinable
  @discardableResult
  public func exchange(_ new: consuming sending Value) -> sending Value {
    var other = OtherValue<Value>()
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
  /// As with `exchange(_:)`, the old value belongs to the caller and is destroyed after the lock was let go.
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
    var other = OtherValue<Value>()
    try write { () throws(E) in
      other.put(try unsafe makeNew(&value))
      unsafe other.changePlaces(with: &value)
    }
    return other.take()
  }
}

extension LockProtector where Value: Sendable, Lock: ~Copyable {
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
