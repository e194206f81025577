// Changing a captured variable in a concurrent loop.
//
// All iterations change it at the same time, and lose each other's changes.
//
// Not with Mutex, NSLock, pthread_rwlock, SerialQueue: they run nothing, or one piece of work after the other.

import Jobs

func total(_ numbers: [Int]) -> Int {
  var total = 0
  numbers.concurrentForEach { total += $0 }
  // error: mutation of captured var 'total' in concurrently-executing code
  return total
}
