// Releasing an active object.
//
// A delivery is on its way to an object that is no more; or a deinit unregisters it on a thread where that deadlocks.
//
// Traps: Lifecycle "Thermometer": deallocated while active; call invalidate() before releasing the last reference

import Lifecycles

func measure() {
  let lifecycle = Lifecycle(label: "Thermometer")
  lifecycle.activate()
  #if !WRONG
    lifecycle.invalidate()
  #endif
}

func run() {
  measure()
  conclude(true, shouldBe: true)
}
