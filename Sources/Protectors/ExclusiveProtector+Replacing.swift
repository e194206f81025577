// Functions that replace the value and don't run the old value's deinit under the lock; see
// `LockProtector+Replacing.swift`.

extension ExclusiveProtector where Value: ~Copyable {
  /// Replaces the value with `new` and returns the old value.
  ///
  /// The caller owns the old value. An ignored value is destroyed after the lock is released and waiting
  /// threads are notified, so its deinit may use the protector. In contrast, `withLock { $0 = new }` destroys
  /// the old value inside the section, where a deinit that acquires the same lock traps.
  ///
  /// Blocks while another thread is in a section. Traps inside a section of the same protector.
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
    beginWriting()
    return finishWriting {
      nonisolated(unsafe) let old = unsafe Swift.exchange(&data, with: new.take()!)
      return unsafe old
    }
  }

  /// Replaces the value with the result of `makeNew`, and returns the old value.
  ///
  /// Use it when the new value depends on the old one. As with `exchange(_:)`, the caller owns the old value,
  /// which is destroyed after the lock is released.
  ///
  /// - Warning: `makeNew` must not return the reference that it gets. The compiler should refuse
  ///   `exchange(with: { $0 })`, but version 6.3 accepts it, also for a class that is not `Sendable`. The
  ///   caller and the protector then share the object.
  ///
  /// Blocks while another thread is in a section. Traps inside a section of the same protector.
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
    beginWriting()
    return try finishWriting { () throws(E) in
      let new = try unsafe makeNew(&data)
      nonisolated(unsafe) let old = unsafe Swift.exchange(&data, with: new)
      return unsafe old
    }
  }
}

extension ExclusiveProtector where Value: Sendable {
  /// A copy of the current value.
  ///
  /// Blocks and traps as `withLock(_:)` does, but wakes no waiting thread or task. The caller uses the copy outside
  /// the lock, so the copy may be out of date by then.
  ///
  /// - Complexity: That of a section, plus a copy.
  @_alwaysEmitIntoClient
  public var value: Value {
    ownLock.beginAccess(for: .exclusiveProtector)
    return ownLock.finishAccess(for: .exclusiveProtector) { unsafe data }
  }
}
