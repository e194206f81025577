public import Synchronization

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
@usableFromInline
@frozen
package struct AtomicWord: ~Copyable, Sendable {
  @usableFromInline
  let value: Atomic<UInt64>

  @inlinable
  package init(_ initialValue: UInt64 = 0) {
    value = Atomic(initialValue)
  }

  #if Exploration
    deinit {
      unsafe withUnsafePointer(to: value) {
        ExploredThreads.current?.forgetWord(at: UInt(bitPattern: $0))
      }
    }
  #endif

  @inlinable
  @_transparent
  package borrowing func load(_ ordering: MemoryOrdering) -> UInt64 {
    #if Exploration
      if let value = explored(.load, ordering) { return value }
    #endif
    switch ordering {
    case .relaxed, .releasing: return value.load(ordering: .relaxed)
    case .acquiring, .acquiringAndReleasing: return value.load(ordering: .acquiring)
    case .sequentiallyConsistent: return value.load(ordering: .sequentiallyConsistent)
    }
  }

  @inlinable
  @_transparent
  package borrowing func store(_ desired: UInt64, _ ordering: MemoryOrdering) {
    #if Exploration
      if explored(.store, ordering, operand: desired) != nil { return }
    #endif
    switch ordering {
    case .relaxed, .acquiring: value.store(desired, ordering: .relaxed)
    case .releasing, .acquiringAndReleasing: value.store(desired, ordering: .releasing)
    case .sequentiallyConsistent: value.store(desired, ordering: .sequentiallyConsistent)
    }
  }

  @inlinable
  @_transparent
  package borrowing func exchange(_ desired: UInt64, _ ordering: MemoryOrdering) -> UInt64 {
    #if Exploration
      if let old = explored(.exchange, ordering, operand: desired) { return old }
    #endif
    switch ordering {
    case .relaxed: return value.exchange(desired, ordering: .relaxed)
    case .acquiring: return value.exchange(desired, ordering: .acquiring)
    case .releasing: return value.exchange(desired, ordering: .releasing)
    case .acquiringAndReleasing: return value.exchange(desired, ordering: .acquiringAndReleasing)
    case .sequentiallyConsistent: return value.exchange(desired, ordering: .sequentiallyConsistent)
    }
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
    switch ordering {
    case .relaxed:
      return value.compareExchange(expected: expected, desired: desired, ordering: .relaxed)
    case .acquiring:
      return value.compareExchange(expected: expected, desired: desired, ordering: .acquiring)
    case .releasing:
      return value.compareExchange(expected: expected, desired: desired, ordering: .releasing)
    case .acquiringAndReleasing:
      return value.compareExchange(expected: expected, desired: desired, ordering: .acquiringAndReleasing)
    case .sequentiallyConsistent:
      return value.compareExchange(expected: expected, desired: desired, ordering: .sequentiallyConsistent)
    }
  }

  /// Adds `operand`, wrapping around, and returns the old value.
  @inlinable
  @_transparent
  @discardableResult
  package borrowing func add(_ operand: UInt64, _ ordering: MemoryOrdering) -> UInt64 {
    #if Exploration
      if let old = explored(.add, ordering, operand: operand) { return old }
    #endif
    switch ordering {
    case .relaxed: return value.wrappingAdd(operand, ordering: .relaxed).oldValue
    case .acquiring: return value.wrappingAdd(operand, ordering: .acquiring).oldValue
    case .releasing: return value.wrappingAdd(operand, ordering: .releasing).oldValue
    case .acquiringAndReleasing:
      return value.wrappingAdd(operand, ordering: .acquiringAndReleasing).oldValue
    case .sequentiallyConsistent:
      return value.wrappingAdd(operand, ordering: .sequentiallyConsistent).oldValue
    }
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
      return unsafe withUnsafePointer(to: value) {
        thread.perform(
          ExploredOperation(
            kind, ordering, address: UInt(bitPattern: $0), isWide: true, operand: operand,
            expected: expected, failureOrdering: ordering))
      }
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
