/// How much the stress tests do, set by `INTERLOCK_STRESS`.
package enum StressSize: String, Sendable, CaseIterable {
  /// About a second each, also in a debug build under ThreadSanitizer on two cores.
  case quick
  /// As much as makes a rare interleaving likely.
  case full

  /// The size of this run; `quick` where the environment doesn't say, and a trap where it says something else.
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

  /// One of two values, by the size of this run.
  package static func pick<Value>(quick: Value, full: Value) -> Value {
    switch current {
    case .quick: quick
    case .full: full
    }
  }
}
