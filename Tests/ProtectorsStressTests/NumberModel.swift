import Exploration

/// The sequential model of a number that threads share.
struct NumberModel: SequentialModel {
  var number = 1

  enum Operation: Sendable, Hashable {
    /// Adds; returns the old number.
    case add(Int)
    /// Returns the number.
    case read
    /// Replaces the number; returns the old number.
    case exchange(Int)
    /// Subtracts 1 if the number is positive; returns the old number, or `nil`.
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
