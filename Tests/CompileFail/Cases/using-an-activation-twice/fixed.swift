import Lifecycles

final class Thermometer: Activatable {
  init(_ configuration: Void) {}
  func activate() {}
  func invalidate() {}
}

func stop(_ activation: consuming Activation<Thermometer>) {
  activation.invalidate()
}
