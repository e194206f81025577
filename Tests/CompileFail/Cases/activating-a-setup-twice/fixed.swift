import Lifecycles

final class Thermometer: Activatable {
  init(_ configuration: Void) {}
  func activate() {}
  func invalidate() {}
}

func measure() {
  let setup = Setup<Thermometer>(())
  setup.activate().invalidate()
}
