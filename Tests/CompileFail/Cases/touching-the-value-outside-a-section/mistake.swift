// Accessing the value outside a section.
//
// A thread in a section has read the value and is about to write it back; what this one writes meanwhile is lost.

import Protectors

func reset(_ balance: Protector<Int>) {
  #if WRONG
    balance.value = 0
  // error: cannot assign to property: 'value' is a get-only property
  #else
    balance.withWriteLock { $0 = 0 }
  #endif
}
