// A callback that changes a captured variable.
//
// It runs on another thread, beside the one that made it.
//
// It compiles in Swift 5 mode.

import Dispatch
import EventSources
import Lifecycles
#if !WRONG
  import AtomicProperties
#endif

func listen(_ queue: DispatchQueue) -> UInt {
  var configuration = ActivatedSource<AddedData>.Configuration.adding(on: queue)
  #if WRONG
    var sum: UInt = 0
    configuration.onEvent = { sum += $0.sum }
  // error: mutation of captured var 'sum' in concurrently-executing code
  #else
    let sum = AtomicProperty<UInt>(0)
    configuration.onEvent = { sum.value += $0.sum }
  #endif
  Setup<ActivatedSource<AddedData>>(configuration).activate().invalidate()
  #if WRONG
    return sum
  #else
    return sum.value
  #endif
}
