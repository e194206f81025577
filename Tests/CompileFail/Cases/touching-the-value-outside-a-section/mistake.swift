// Accessing the value outside a section.
//
// A thread in a section has read the value and is about to write it back; what this one writes meanwhile is lost.

import Protectors

func reset(_ balance: Protector<Int>) {
  #if WRONG
    balance.value = 0
  // error: 'value' is inaccessible due to 'internal' protection level
  #else
    balance.withWriteLock { $0 = 0 }
  #endif
}
