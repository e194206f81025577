import Lifecycles

final class Thermometer: Activatable {
  struct Configuration {}
  init(_ configuration: Configuration) {}
  func activate() {}
  func invalidate() {}
}
nonisolated(unsafe) var thermometer: Thermometer?
