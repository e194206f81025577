// Two owners of one activation.
//
// Each believes that the other one ends it; or both end it.

import Lifecycles

final class Thermometer: Activatable {
  init(_ configuration: Void) {}
  func activate() {}
  func invalidate() {}
}

final class Room {
  #if WRONG
    let activation = Setup<Thermometer>(()).activate()

    func take() -> Activation<Thermometer> {
      return activation
      // error: cannot consume noncopyable stored property 'self.activation' of a class
    }
  #else
    var activation: Activation<Thermometer>? = Setup<Thermometer>(()).activate()

    func take() -> Activation<Thermometer>? {
      return activation.take()
    }
  #endif
}
