import Lifecycles

final class Thermometer: Activatable {
  struct Configuration {
    var interval = Duration.seconds(1)
  }
  init(_ configuration: Configuration) {}
  func activate() {}
  func invalidate() {}
}

final class UnprotectedThermometer {
  var interval = Duration.seconds(1)
  func activate() {}
}
nonisolated(unsafe) let thermometer = UnprotectedThermometer()
