// An activatable object with public variables.
//
// They are changed while the subsystem that it is registered with calls it on a thread of its own.
//
// It compiles in Swift 5 mode.

import Lifecycles

final class Thermometer: Activatable {
  #if WRONG
    var interval: Duration
  // error: stored property 'interval' of 'Sendable'-conforming class 'Thermometer' is mutable
  #else
    let interval: Duration
  #endif

  init(_ configuration: Duration) { interval = configuration }
  func activate() {}
  func invalidate() {}
}
