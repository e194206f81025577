public import Builtin

/// An atomic 32-bit word, which implements `LockWord`.
///
/// Each operation has its memory ordering in its name, because an ordering must be a constant where the
/// atomic instruction is emitted.
///
/// This type replaces `Synchronization.Atomic<UInt32>`, which needs macOS 15. It is implemented like that
/// type: with a raw layout, which always has an address, and the compiler's builtins.
@usableFromInline
@frozen
@_rawLayout(like: UInt32)
package struct PlainLockWord: ~Copyable, @unchecked Sendable {
  // `PlainLockWord` is `@unchecked Sendable`, which is sound: each access to the storage is atomic.

  /// The address of the word.
  ///
  /// It stays the same while the word is borrowed or stored in place: a raw layout is never copied and never
  /// passed in a register.
  @usableFromInline
  @_transparent
  var rawAddress: Builtin.RawPointer { Builtin.addressOfRawLayout(self) }

  @_alwaysEmitIntoClient
  package init(_ initialValue: UInt32 = 0) {
    // Sound: the storage has the layout of a `UInt32`, and no other thread has the word yet.
    unsafe UnsafeMutablePointer<UInt32>(rawAddress).initialize(to: initialValue)
  }

  // MARK: Loads and stores

  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func loadRelaxed() -> UInt32 {
    return UInt32(Builtin.atomicload_monotonic_Int32(rawAddress))
  }

  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func loadAcquiring() -> UInt32 {
    return UInt32(Builtin.atomicload_acquire_Int32(rawAddress))
  }

  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func storeRelaxed(_ desired: UInt32) {
    Builtin.atomicstore_monotonic_Int32(rawAddress, desired._value)
  }

  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func exchangeSequentiallyConsistent(_ desired: UInt32) -> UInt32 {
    return UInt32(Builtin.atomicrmw_xchg_seqcst_Int32(rawAddress, desired._value))
  }

  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func loadSequentiallyConsistent() -> UInt32 {
    return UInt32(Builtin.atomicload_seqcst_Int32(rawAddress))
  }

  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func exchangeReleasing(_ desired: UInt32) -> UInt32 {
    return UInt32(Builtin.atomicrmw_xchg_release_Int32(rawAddress, desired._value))
  }

  // MARK: Compare and exchange
  // Each compare-exchange of this type is strong: it fails only when the word differs from `expected`.

  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func compareExchangeAcquiring(
    expected: UInt32, desired: UInt32, waits: Bool = false
  ) -> (exchanged: Bool, original: UInt32) {
    let (original, exchanged) = Builtin.cmpxchg_acquire_monotonic_Int32(
      rawAddress, expected._value, desired._value)
    return (Bool(exchanged), UInt32(original))
  }

  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func compareExchangeRelaxed(expected: UInt32, desired: UInt32) -> (
    exchanged: Bool, original: UInt32
  ) {
    let (original, exchanged) = Builtin.cmpxchg_monotonic_monotonic_Int32(
      rawAddress, expected._value, desired._value)
    return (Bool(exchanged), UInt32(original))
  }

  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func compareExchangeReleasing(expected: UInt32, desired: UInt32) -> (
    exchanged: Bool, original: UInt32
  ) {
    let (original, exchanged) = Builtin.cmpxchg_release_monotonic_Int32(
      rawAddress, expected._value, desired._value)
    return (Bool(exchanged), UInt32(original))
  }

  @_alwaysEmitIntoClient
  package borrowing func compareExchangeSequentiallyConsistent(expected: UInt32, desired: UInt32) -> (
    exchanged: Bool, original: UInt32
  ) {
    let (original, exchanged) = Builtin.cmpxchg_seqcst_seqcst_Int32(
      rawAddress, expected._value, desired._value)
    return (Bool(exchanged), UInt32(original))
  }

  // MARK: Arithmetic

  @_alwaysEmitIntoClient
  package borrowing func addSequentiallyConsistent(_ operand: UInt32) {
    _ = Builtin.atomicrmw_add_seqcst_Int32(rawAddress, operand._value)
  }

  /// Sets `bits` in the word, and returns the word's old value.
  @discardableResult
  @_alwaysEmitIntoClient
  package borrowing func setBitsRelaxed(_ bits: UInt32) -> UInt32 {
    return UInt32(Builtin.atomicrmw_or_monotonic_Int32(rawAddress, bits._value))
  }

  @_alwaysEmitIntoClient
  package borrowing func clearBitsRelaxed(_ bits: UInt32) {
    _ = Builtin.atomicrmw_and_monotonic_Int32(rawAddress, (~bits)._value)
  }

  /// Subtracts and returns the new value.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func subtractReleasing(_ operand: UInt32) -> UInt32 {
    return UInt32(Builtin.atomicrmw_sub_release_Int32(rawAddress, operand._value)) &- operand
  }

  /// Adds and returns the new value.
  @_alwaysEmitIntoClient
  @_transparent
  @discardableResult
  package borrowing func addReleasing(_ operand: UInt32) -> UInt32 {
    return UInt32(Builtin.atomicrmw_add_release_Int32(rawAddress, operand._value)) &+ operand
  }
}
