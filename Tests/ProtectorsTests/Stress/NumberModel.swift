import Exploration

/// The sequential specification of a shared number, against which recorded histories are checked.
struct NumberModel: SequentialModel {
  var number = 1

  enum Operation: Sendable, Hashable {
    /// Adds the amount; returns the old number.
    case add(Int)
    /// Returns the number.
    case read
    /// Replaces the number; returns the old number.
    case exchange(Int)
    /// If the number is positive, subtracts 1 and returns the old number; otherwise returns `nil`.
    case takeIfPositive
    /// Subtracts 1 as soon as the number is positive; returns the old number, or `nil` on timeout.
    case takeWhenPositive
    /// Returns the number as soon as it is even, or `nil` on timeout.
    case readWhenEven
  }

  mutating func apply(_ operation: Operation) -> Int? {
    let old = number
    switch operation {
    case .add(let amount): number += amount
    case .read: break
    case .exchange(let other): number = other
    case .takeIfPositive, .takeWhenPositive:
      guard old > 0 else { return nil }
      number -= 1
    case .readWhenEven: if !old.isMultiple(of: 2) { return nil }
    }
    return old
  }
}
