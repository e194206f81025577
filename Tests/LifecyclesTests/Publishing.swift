import Lifecycles
import Testing

/// How deliveries make themselves known: the tests of `Lifecycle` run against both.
enum Publishing: String, CaseIterable, Codable, Sendable, CustomTestStringConvertible {
  /// With a plain store; `invalidate` pays for the barriers.
  case plain
  /// With a full barrier of their own, as on systems without `membarrier`.
  case fenced

  var testDescription: String { rawValue }

  /// Makes a lifecycle of this kind.
  func lifecycle(_ label: StaticString = "Test") -> Lifecycle {
    switch self {
    case .plain: Lifecycle(label)
    case .fenced: Lifecycle(label, isFenced: true)
    }
  }

  /// Makes one that is active.
  func activeLifecycle(_ label: StaticString = "Test") -> Lifecycle {
    let lifecycle = lifecycle(label)
    lifecycle.activate()
    return lifecycle
  }
}
