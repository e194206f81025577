public import Synchronization

/// An atomic 64-bit word whose operations take their memory ordering as an argument.
///
/// The operations of `Atomic` want an ordering that is written at the call, and are declared for each width apart. Behind
/// these, which choose among written ones, a generic type can pass on what its caller wrote. They are inlined, and then
/// the choice is made by the compiler.
@usableFromInline
struct OrderedWord: ~Copyable, Sendable {
  @usableFromInline
  let word: Atomic<UInt64>

  @inlinable
  init(_ value: UInt64) {
    word = Atomic(value)
  }

  @inlinable
  @inline(__always)
  borrowing func load(_ ordering: AtomicLoadOrdering) -> UInt64 {
    switch ordering {
    case .relaxed: word.load(ordering: .relaxed)
    case .acquiring: word.load(ordering: .acquiring)
    default: word.load(ordering: .sequentiallyConsistent)
    }
  }

  @inlinable
  @inline(__always)
  borrowing func store(_ value: UInt64, _ ordering: AtomicStoreOrdering) {
    switch ordering {
    case .relaxed: word.store(value, ordering: .relaxed)
    case .releasing: word.store(value, ordering: .releasing)
    default: word.store(value, ordering: .sequentiallyConsistent)
    }
  }

  @inlinable
  @inline(__always)
  borrowing func exchange(_ value: UInt64, _ ordering: AtomicUpdateOrdering) -> UInt64 {
    switch ordering {
    case .relaxed: word.exchange(value, ordering: .relaxed)
    case .acquiring: word.exchange(value, ordering: .acquiring)
    case .releasing: word.exchange(value, ordering: .releasing)
    case .acquiringAndReleasing: word.exchange(value, ordering: .acquiringAndReleasing)
    default: word.exchange(value, ordering: .sequentiallyConsistent)
    }
  }

  /// It fails only when the word differs; a failure loads with what `ordering` has of acquiring.
  @inlinable
  @inline(__always)
  borrowing func compareExchange(
    expected: UInt64, desired: UInt64, _ ordering: AtomicUpdateOrdering
  ) -> (exchanged: Bool, original: UInt64) {
    switch ordering {
    case .relaxed:
      word.compareExchange(expected: expected, desired: desired, ordering: .relaxed)
    case .acquiring:
      word.compareExchange(expected: expected, desired: desired, ordering: .acquiring)
    case .releasing:
      word.compareExchange(expected: expected, desired: desired, ordering: .releasing)
    case .acquiringAndReleasing:
      word.compareExchange(expected: expected, desired: desired, ordering: .acquiringAndReleasing)
    default:
      word.compareExchange(expected: expected, desired: desired, ordering: .sequentiallyConsistent)
    }
  }

  /// Adds, and returns what was there before.
  @inlinable
  @inline(__always)
  borrowing func add(_ operand: UInt64, _ ordering: AtomicUpdateOrdering) -> UInt64 {
    switch ordering {
    case .relaxed: word.wrappingAdd(operand, ordering: .relaxed).oldValue
    case .acquiring: word.wrappingAdd(operand, ordering: .acquiring).oldValue
    case .releasing: word.wrappingAdd(operand, ordering: .releasing).oldValue
    case .acquiringAndReleasing: word.wrappingAdd(operand, ordering: .acquiringAndReleasing).oldValue
    default: word.wrappingAdd(operand, ordering: .sequentiallyConsistent).oldValue
    }
  }
}
