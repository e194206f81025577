public import Builtin

/// How an atomic operation is ordered with the operations around it.
///
/// A load ignores the releasing part of its ordering, and a store ignores the acquiring part.
@usableFromInline
@frozen
package enum MemoryOrdering: Sendable {
  case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent
}

/// An atomic 64-bit word on which no thread waits.
///
/// Each operation takes its memory ordering as an argument, so that a caller can pass on the ordering that
/// its own caller wrote. If the ordering is constant, the compiler inlines the operation without its
/// `switch`.
///
/// Its storage and its instructions are those of `Synchronization.Atomic<UInt64>` (see `LockWord`).
@usableFromInline
@frozen
@_rawLayout(like: UInt64)
package struct AtomicWord: ~Copyable, @unchecked Sendable {
  // `AtomicWord` is `@unchecked Sendable`, which is sound: each access to the storage is atomic.

  /// The address of the word, which stays the same while the word is borrowed or stored in place.
  @usableFromInline
  @_transparent
  var rawAddress: Builtin.RawPointer { Builtin.addressOfRawLayout(self) }

  @inlinable
  package init(_ initialValue: UInt64 = 0) {
    // Sound: the storage has the layout of a `UInt64`, and no other thread has the word yet.
    unsafe UnsafeMutablePointer<UInt64>(rawAddress).initialize(to: initialValue)
  }

  #if Exploration
    deinit { ExploredThreads.current?.forgetWord(at: UInt(Builtin.ptrtoint_Word(rawAddress))) }
  #endif

  @inlinable
  @_transparent
  package borrowing func load(_ ordering: MemoryOrdering) -> UInt64 {
    #if Exploration
      if let value = explored(.load, ordering) { return value }
    #endif
    switch ordering {
    case .relaxed, .releasing: return UInt64(Builtin.atomicload_monotonic_Int64(rawAddress))
    case .acquiring, .acquiringAndReleasing: return UInt64(Builtin.atomicload_acquire_Int64(rawAddress))
    case .sequentiallyConsistent: return UInt64(Builtin.atomicload_seqcst_Int64(rawAddress))
    }
  }

  @inlinable
  @_transparent
  package borrowing func store(_ desired: UInt64, _ ordering: MemoryOrdering) {
    #if Exploration
      if explored(.store, ordering, operand: desired) != nil { return }
    #endif
    switch ordering {
    case .relaxed, .acquiring: Builtin.atomicstore_monotonic_Int64(rawAddress, desired._value)
    case .releasing, .acquiringAndReleasing: Builtin.atomicstore_release_Int64(rawAddress, desired._value)
    case .sequentiallyConsistent: Builtin.atomicstore_seqcst_Int64(rawAddress, desired._value)
    }
  }

  @inlinable
  @_transparent
  package borrowing func exchange(_ desired: UInt64, _ ordering: MemoryOrdering) -> UInt64 {
    #if Exploration
      if let old = explored(.exchange, ordering, operand: desired) { return old }
    #endif
    let old =
      switch ordering {
      case .relaxed: Builtin.atomicrmw_xchg_monotonic_Int64(rawAddress, desired._value)
      case .acquiring: Builtin.atomicrmw_xchg_acquire_Int64(rawAddress, desired._value)
      case .releasing: Builtin.atomicrmw_xchg_release_Int64(rawAddress, desired._value)
      case .acquiringAndReleasing: Builtin.atomicrmw_xchg_acqrel_Int64(rawAddress, desired._value)
      case .sequentiallyConsistent: Builtin.atomicrmw_xchg_seqcst_Int64(rawAddress, desired._value)
      }
    return UInt64(old)
  }

  /// Replaces the word by `desired` if it is `expected`; returns whether it did so, and the old value.
  ///
  /// The exchange fails only if the word differs from `expected`. Then it loads with only the acquiring part
  /// of `ordering`.
  @inlinable
  @_transparent
  package borrowing func compareExchange(
    expected: UInt64, desired: UInt64, _ ordering: MemoryOrdering
  ) -> (exchanged: Bool, original: UInt64) {
    #if Exploration
      if let old = explored(
        .compareExchange, ordering, operand: desired, expected: expected)
      {
        return (old == expected, old)
      }
    #endif
    let (original, exchanged) =
      switch ordering {
      case .relaxed:
        Builtin.cmpxchg_monotonic_monotonic_Int64(rawAddress, expected._value, desired._value)
      case .acquiring:
        Builtin.cmpxchg_acquire_acquire_Int64(rawAddress, expected._value, desired._value)
      case .releasing:
        Builtin.cmpxchg_release_monotonic_Int64(rawAddress, expected._value, desired._value)
      case .acquiringAndReleasing:
        Builtin.cmpxchg_acqrel_acquire_Int64(rawAddress, expected._value, desired._value)
      case .sequentiallyConsistent:
        Builtin.cmpxchg_seqcst_seqcst_Int64(rawAddress, expected._value, desired._value)
      }
    return (Bool(exchanged), UInt64(original))
  }

  /// Adds `operand`, wrapping around, and returns the old value.
  @inlinable
  @_transparent
  @discardableResult
  package borrowing func add(_ operand: UInt64, _ ordering: MemoryOrdering) -> UInt64 {
    #if Exploration
      if let old = explored(.add, ordering, operand: operand) { return old }
    #endif
    let old =
      switch ordering {
      case .relaxed: Builtin.atomicrmw_add_monotonic_Int64(rawAddress, operand._value)
      case .acquiring: Builtin.atomicrmw_add_acquire_Int64(rawAddress, operand._value)
      case .releasing: Builtin.atomicrmw_add_release_Int64(rawAddress, operand._value)
      case .acquiringAndReleasing: Builtin.atomicrmw_add_acqrel_Int64(rawAddress, operand._value)
      case .sequentiallyConsistent: Builtin.atomicrmw_add_seqcst_Int64(rawAddress, operand._value)
      }
    return UInt64(old)
  }

  #if Exploration
    /// Lets the explorer (the module `Exploration`) perform an operation, and returns the old value.
    ///
    /// Returns `nil` if the explorer does not run the calling thread.
    @usableFromInline
    borrowing func explored(
      _ kind: ExploredOperation.Kind, _ ordering: MemoryOrdering, operand: UInt64 = 0, expected: UInt64 = 0
    ) -> UInt64? {
      guard let thread = ExploredThreads.current else { return nil }
      return thread.perform(
        ExploredOperation(
          kind, ordering, address: UInt(Builtin.ptrtoint_Word(rawAddress)), isWide: true, operand: operand,
          expected: expected, failureOrdering: ordering))
    }
  #endif
}

/// An atomic pointer, in an `AtomicWord`.
@safe
@usableFromInline
@frozen
package struct AtomicPointer<Pointee: ~Copyable>: ~Copyable, @unchecked Sendable {
  // `AtomicPointer` is `@unchecked Sendable`, which is sound: the pointer is atomic. Code that dereferences
  // it says why that is sound.
  @usableFromInline
  let word: AtomicWord

  @inlinable
  package init(_ initialValue: UnsafeMutablePointer<Pointee>? = nil) {
    word = AtomicWord(UInt64(UInt(bitPattern: initialValue)))
  }

  @inlinable
  @_transparent
  package borrowing func load(_ ordering: MemoryOrdering) -> UnsafeMutablePointer<Pointee>? {
    unsafe UnsafeMutablePointer(bitPattern: UInt(truncatingIfNeeded: word.load(ordering)))
  }

  @inlinable
  @_transparent
  package borrowing func store(_ desired: UnsafeMutablePointer<Pointee>?, _ ordering: MemoryOrdering) {
    word.store(UInt64(UInt(bitPattern: desired)), ordering)
  }
}
