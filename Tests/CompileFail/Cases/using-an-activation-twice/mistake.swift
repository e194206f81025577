// Using an ended activation.
//
// The object is not registered any more, and is unregistered again: it may be another one's registration.

import Lifecycles

final class Thermometer: Activatable {
  init(_ configuration: Void) {}
  func activate() {}
  func invalidate() {}
}

func stop(_ activation: consuming Activation<Thermometer>) {
  // error: 'activation' consumed more than once
  activation.invalidate()
  #if WRONG
    activation.invalidate()
  #endif
}
