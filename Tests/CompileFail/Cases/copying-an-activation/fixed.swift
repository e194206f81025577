import Lifecycles

final class Thermometer: Activatable {
  init(_ configuration: Void) {}
  func activate() {}
  func invalidate() {}
}

final class Room {
  var activation: Activation<Thermometer>? = Setup<Thermometer>(()).activate()

  func take() -> Activation<Thermometer>? {
    return activation.take()
  }
}
