/// The size of the stress tests, set by `INTERLOCK_STRESS`.
package enum StressSize: String, Sendable, CaseIterable {
  /// Each test takes about a second, even in a debug build under ThreadSanitizer on two cores.
  case quick
  /// Each test runs long enough to make a rare interleaving likely.
  case full

  /// The size of this run: `quick` if `INTERLOCK_STRESS` is not set.
  ///
  /// Traps if the variable has an unknown value.
  package static let current = StressSize(environment: Environment["INTERLOCK_STRESS"])

  private init(environment text: String?) {
    guard let text else {
      self = .quick
      return
    }
    guard let size = StressSize(rawValue: text) else {
      let known = Self.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or ")
      fatalError("INTERLOCK_STRESS is '\(text)'; it can be \(known)")
    }
    self = size
  }

  /// Returns `quick` or `full`, as the size of this run demands.
  package static func pick<Value>(quick: Value, full: Value) -> Value {
    switch current {
    case .quick: quick
    case .full: full
    }
  }
}
