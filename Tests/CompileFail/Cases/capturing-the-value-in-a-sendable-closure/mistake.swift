// Capturing a section's value in a @Sendable closure.
//
// The closure runs on another thread, when the section has ended and the value is another one's to change.

import Dispatch
import Protectors

func log(_ names: Protector<[String]>) {
  names.withWriteLock { names in
    #if WRONG
      DispatchQueue.global().async { print(names) }
    // error: mutable capture of 'inout' parameter 'names' is not allowed in concurrently-executing
    // code
    #else
      DispatchQueue.global().async { [names] in print(names) }
    #endif
  }
}
