// Two deliveries that invalidate each other's object.
//
// Each invalidation waits for the other's delivery, and so for itself.
//
// Traps: Lifecycle "Thermometer": waits for a delivery whose thread waits for a delivery on this thread; invalidate other
// objects outside deliveries, or on another thread

import Lifecycles

func run() {
  let one = Lifecycle(label: "Thermometer")
  let other = Lifecycle(label: "Thermometer")
  let isInOther = Gate()
  let isInOne = Gate()
  one.activate()
  other.activate()
  let end = startThread {
    other.whileActive {
      isInOther.open()
      isInOne.pass()
      #if WRONG
        one.invalidate()
      #endif
    }
    #if !WRONG
      one.invalidate()
    #endif
  }
  one.whileActive {
    isInOne.open()
    isInOther.pass()
    #if WRONG
      other.invalidate()
    #endif
  }
  #if !WRONG
    other.invalidate()
  #endif
  end.pass()
  conclude(one.state, shouldBe: .invalidated)
}
