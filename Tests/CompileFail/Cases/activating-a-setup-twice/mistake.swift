// Activating a setup twice.
//
// Two objects measure, and one of them nobody ends.

import Lifecycles

final class Thermometer: Activatable {
  init(_ configuration: Void) {}
  func activate() {}
  func invalidate() {}
}

func measure() {
  let setup = Setup<Thermometer>(())
  // error: 'setup' consumed more than once
  setup.activate().invalidate()
  #if WRONG
    setup.activate().invalidate()
  #endif
}
