// Invalidating inside a section that a delivery needs.
//
// The invalidation waits for the delivery's end, the delivery for the section's.
//
// Hangs: The lock does not know what a life cycle waits for, nor the other way round; each is right to wait. Invalidate
// outside sections.

import Lifecycles
import Protectors

func run() {
  let lifecycle = Lifecycle(label: "Thermometer")
  let values = Protector([21.5])
  let isDelivering = Gate()
  let isInSection = Gate()
  lifecycle.activate()
  let end = startThread {
    lifecycle.whileActive {
      isDelivering.open()
      isInSection.pass()
      values.withWriteLock { $0.append(22) }
    }
  }
  isDelivering.pass()
  values.withWriteLock { values in
    isInSection.open()
    #if WRONG
      lifecycle.invalidate()
    #endif
    values.removeAll()
  }
  #if !WRONG
    lifecycle.invalidate()
  #endif
  end.pass()
  conclude(lifecycle.state, shouldBe: .invalidated)
}
