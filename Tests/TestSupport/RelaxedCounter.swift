internal import Synchronization

/// An atomic counter whose operations are relaxed, so it does not order other memory accesses.
package final class RelaxedCounter: Sendable {
  private let count = Atomic(0)

  package init() {}

  package var value: Int {
    count.load(ordering: .relaxed)
  }

  /// Counts an evaluation of a condition, and returns its result.
  package func counting(_ holds: Bool) -> Bool {
    add(1)
    return holds
  }

  /// Adds `amount` and returns the new value.
  @discardableResult
  package func add(_ amount: Int) -> Int {
    count.wrappingAdd(amount, ordering: .relaxed).newValue
  }
}
