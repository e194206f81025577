// Invalidating in a local function of asynchronous code.
//
// The invalidation blocks the main actor's thread until the delivery has ended, which needs the main actor.
//
// Hangs: The compiler does not look into the closures and local functions that asynchronous code calls: each of them may be
// called on a thread that can be blocked. Call what blocks, or awaits, in the asynchronous function itself.

import Lifecycles

@MainActor func run() async {
  let lifecycle = Lifecycle(label: "Thermometer")
  lifecycle.activate()
  let isDelivering = Gate()
  deliver(lifecycle, isDelivering)
  waitFor(isDelivering)
  #if WRONG
    func end() { lifecycle.invalidate() }
    end()
  #else
    await lifecycle.invalidate()
  #endif
  conclude(lifecycle.state, shouldBe: .invalidated)
}

/// The delivery ends when the main actor has had time for it.
func deliver(_ lifecycle: Lifecycle, _ isDelivering: Gate) {
  _ = startThread {
    lifecycle.whileActive {
      isDelivering.open()
      let isShown = Gate()
      Task { @MainActor in isShown.open() }
      isShown.pass()
    }
  }
}

func waitFor(_ gate: Gate) { gate.pass() }
