// Changing a captured variable in a concurrent loop.
//
// All iterations change it at the same time, and lose each other's changes.
//
// It compiles in Swift 5 mode.

import Jobs
#if !WRONG
  import AtomicProperties
#endif

func total(_ numbers: [Int]) -> Int {
  #if WRONG
    var total = 0
    numbers.concurrentForEach { total += $0 }
    // error: mutation of captured var 'total' in concurrently-executing code
    return total
  #else
    let total = AtomicProperty(0)
    numbers.concurrentForEach { total.value += $0 }
    return total.value
  #endif
}
