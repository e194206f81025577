import Lifecycles

/// An object with a lifecycle.
final class Thermometer: Activatable {
  let scale: String
  private let lifecycle = Lifecycle(label: "Thermometer")

  init(_ configuration: String) { scale = configuration }
  func activate() { lifecycle.activate() }
  func invalidate() { lifecycle.invalidate() }
}

func useThermometer() {
  let activation = Setup<Thermometer>("Celsius").activate()
  precondition(activation.object.scale == "Celsius")
  activation.invalidate()
}

useThermometer()
