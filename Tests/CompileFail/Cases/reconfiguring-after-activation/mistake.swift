// Changing the configuration after activation.
//
// Too late, or a race with the thread that already uses it.

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
  #if WRONG
    let activation = setup.activate()
  #endif
  setup.configuration.interval = .seconds(10)
  // error: cannot partially reinitialize 'setup' after it has been consumed; only full
  // reinitialization is allowed
  #if !WRONG
    let activation = setup.activate()
  #endif
  activation.invalidate()
}
