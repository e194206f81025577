// Awaiting inside a delivery.
//
// The invalidation waits for the delivery, on the thread that the delivery needs to go on.

import Lifecycles

func temperature() async -> Double { 21.5 }

func measure(_ lifecycle: Lifecycle) async -> Double? {
  #if WRONG
    await lifecycle.whileActive { await temperature() }
  // error: cannot pass function of type '() async -> sending Double' to parameter expecting
  // synchronous function type
  #else
    let temperature = await temperature()
    return lifecycle.whileActive { temperature }
  #endif
}
