/// The size of the stress tests, set by `INTERLOCK_STRESS`.
package enum StressSize: String, Sendable, CaseIterable {
  /// Each test takes about a second, even in a debug build under ThreadSanitizer on two cores.
  case quick
  /// Large enough to make a rare interleaving likely.
  case full

  /// The size of this run: `quick` by default.
  ///
  /// An unknown value of the variable traps.
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

  /// Selects one of two values by the size of this run.
  package static func pick<Value>(quick: Value, full: Value) -> Value {
    switch current {
    case .quick: quick
    case .full: full
    }
  }
}
