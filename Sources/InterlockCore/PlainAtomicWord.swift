public import Builtin
public import CInterlock

/// The memory ordering of an atomic operation or a fence.
///
/// A load ignores the releasing part of its ordering, and a store ignores the acquiring part.
@usableFromInline
@frozen
package enum MemoryOrdering: Sendable {
  case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent
}

/// An atomic 64-bit word, which implements `AtomicWord`.
///
/// Each operation takes its memory ordering as an argument, so that a caller can pass on the ordering that
/// its own caller wrote. If the ordering is constant, the compiler inlines the operation without its
/// `switch`.
///
/// The storage and the instructions are those of `Synchronization.Atomic<UInt64>` (see `PlainLockWord`).
@usableFromInline
@frozen
@_rawLayout(like: UInt64)
package struct PlainAtomicWord: ~Copyable, @unchecked Sendable {
  // `PlainAtomicWord` is `@unchecked Sendable`, which is sound: each access to the storage is atomic.

  /// The address of the word, which stays the same while the word is borrowed or stored in place.
  @usableFromInline
  @_transparent
  var rawAddress: Builtin.RawPointer { Builtin.addressOfRawLayout(self) }

  @_alwaysEmitIntoClient
  @_transparent
  package var address: UInt { UInt(Builtin.ptrtoint_Word(rawAddress)) }

  @_alwaysEmitIntoClient
  package init(_ initialValue: UInt64 = 0) {
    // Sound: the storage has the layout of a `UInt64`, and no other thread has the word yet.
    unsafe UnsafeMutablePointer<UInt64>(rawAddress).initialize(to: initialValue)
  }

  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func load(_ ordering: MemoryOrdering) -> UInt64 {
    switch ordering {
    case .relaxed, .releasing: return UInt64(Builtin.atomicload_monotonic_Int64(rawAddress))
    case .acquiring, .acquiringAndReleasing: return UInt64(Builtin.atomicload_acquire_Int64(rawAddress))
    case .sequentiallyConsistent: return UInt64(Builtin.atomicload_seqcst_Int64(rawAddress))
    }
  }

  /// Stores `desired`.
  ///
  /// A store that releases may end a protection: a read section or a hazard. The compiler's pass for reference
  /// counting moves retains down over atomic loads and stores, whatever their ordering, but not over
  /// read-modify-writes or a compiler barrier. So such a store begins with the barrier, which emits no
  /// instruction. Without it, a reference that a section returns is retained after the section, when a writer
  /// may have freed the object.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func store(_ desired: UInt64, _ ordering: MemoryOrdering) {
    switch ordering {
    case .relaxed, .acquiring: Builtin.atomicstore_monotonic_Int64(rawAddress, desired._value)
    case .releasing, .acquiringAndReleasing:
      interlock_compiler_barrier()
      Builtin.atomicstore_release_Int64(rawAddress, desired._value)
    case .sequentiallyConsistent:
      interlock_compiler_barrier()
      Builtin.atomicstore_seqcst_Int64(rawAddress, desired._value)
    }
  }

  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func exchange(_ desired: UInt64, _ ordering: MemoryOrdering) -> UInt64 {
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
  /// The exchange fails only if the word differs from `expected`. A failed exchange is a load, which ignores
  /// the releasing part of `ordering`.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func compareExchange(
    expected: UInt64, desired: UInt64, _ ordering: MemoryOrdering
  ) -> (exchanged: Bool, original: UInt64) {
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
  @_alwaysEmitIntoClient
  @_transparent
  @discardableResult
  package borrowing func add(_ operand: UInt64, _ ordering: MemoryOrdering) -> UInt64 {
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
}

/// A memory fence.
@_alwaysEmitIntoClient
@_transparent
package func plainFence(_ ordering: MemoryOrdering) {
  switch ordering {
  case .relaxed: break
  case .acquiring: Builtin.fence_acquire()
  case .releasing: Builtin.fence_release()
  case .acquiringAndReleasing: Builtin.fence_acqrel()
  case .sequentiallyConsistent: Builtin.fence_seqcst()
  }
}
