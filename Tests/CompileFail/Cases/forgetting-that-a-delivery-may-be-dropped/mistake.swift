// Ignoring that a delivery was dropped.
//
// The object has been invalidated, nothing was delivered, and the caller goes on as if it had been.

import Lifecycles

#if WRONG
  func measure(_ lifecycle: Lifecycle) -> Double {
    lifecycle.whileActive { 21.5 }
    // error: cannot convert return expression of type 'Double?' to return type 'Double'
  }
#else
  func measure(_ lifecycle: Lifecycle) -> Double? {
    lifecycle.whileActive { 21.5 }
  }
#endif
