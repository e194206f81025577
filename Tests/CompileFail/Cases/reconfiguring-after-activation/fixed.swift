import Lifecycles

final class Thermometer: Activatable {
  struct Configuration {
    var interval = Duration.seconds(1)
  }

  init(_ configuration: Configuration) {}
  func activate() {}
  func invalidate() {}
}

func measure() {
  var setup = Setup<Thermometer>(Thermometer.Configuration())
  setup.configuration.interval = .seconds(10)
  let activation = setup.activate()
  activation.invalidate()
}
