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
  /// destroys the old value inside the section, where a deinit that acquires the same lock traps.
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
    // Sound: the caller gives up the new value.
    nonisolated(unsafe) var new: Value? = consume new
    return write { unsafe replace(with: &new) }
  }

  /// Replaces the value with the result of `makeNew`, and returns the old value.
  ///
  /// Use it when the new value depends on the old one, or keeps parts of it:
  ///
  /// ```swift
  /// let retired = configuration.exchange { Configuration(basedOn: $0) }
  /// handlers.exchange { $0.filter { !$0.isObsolete } }
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
    try write { () throws(E) in try replace(with: makeNew) }
  }
}

extension LockProtector where Value: Sendable, Lock: ~Copyable {
  /// A copy of the current value.
  ///
  /// Blocks and traps as `withReadLock(_:)` does. The caller uses the copy outside the lock, so the copy may
  /// be out of date by then.
  ///
  /// - Complexity: That of a read section, plus a copy.
  @_alwaysEmitIntoClient
  public var value: Value {
    withReadLock { $0 }
  }
}
