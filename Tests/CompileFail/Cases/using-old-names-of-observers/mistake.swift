// Old names of observers.
//
// None: each message says the new name.

import Observers

func add(_ observer: AnyObject, to observers: WeakObservers<AnyObject>) -> Bool {
  #if WRONG
    observers.observe(whileAlive: observer)
    // error: 'observe(whileAlive:)' has been renamed to 'add(whileAlive:)'
    let registration = observers.observe(by: observer)
    // error: 'observe(by:)' has been renamed to 'add(_:)'
    registration.end()
    return observers.endObservation(by: observer)
  // error: 'endObservation(by:)' has been renamed to 'remove(_:)'
  #else
    observers.add(whileAlive: observer)
    let registration = observers.add(observer)
    registration.end()
    return observers.remove(observer)
  #endif
}

func finish(_ delivery: OrderedDelivery<Int>) -> Bool {
  #if WRONG
    delivery.end()
    // error: 'end()' has been renamed to 'finish()'
    return delivery.hasEnded
  // error: 'hasEnded' has been renamed to 'isFinished'
  #else
    delivery.finish()
    return delivery.isFinished
  #endif
}
