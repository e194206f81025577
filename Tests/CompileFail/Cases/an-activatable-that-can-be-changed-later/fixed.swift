import Lifecycles

final class Thermometer: Activatable {
  let interval: Duration

  init(_ configuration: Duration) { interval = configuration }
  func activate() {}
  func invalidate() {}
}
