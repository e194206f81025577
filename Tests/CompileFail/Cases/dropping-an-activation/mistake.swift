// Dropping an activation.
//
// The object stays registered and is called for ever; nobody can end it any more.
//
// Traps: Activation<Thermometer>: dropped while its object is active; end it with invalidate()

import Lifecycles

final class Thermometer: Activatable {
  init(_ configuration: Void) {}
  func activate() {}
  func invalidate() {}
}

func run() {
  let activation = Setup<Thermometer>(()).activate()
  #if WRONG
    _ = activation.object
  #else
    activation.invalidate()
  #endif
  conclude(true, shouldBe: true)
}
