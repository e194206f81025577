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

func listen(_ queue: DispatchQueue) -> Int {
  #if WRONG
    var sum: UInt = 0
    var configuration = ActivatedSource<AddedData>.Configuration.adding(on: queue)
    configuration.onEvent = { sum += $0.sum }
    // error: mutation of captured var 'sum' in concurrently-executing code
    let activation = Setup<ActivatedSource<AddedData>>(configuration).activate()
    activation.invalidate()
    return Int(sum)
  #else
    let sum = AtomicProperty<UInt>(0)
    var configuration = ActivatedSource<AddedData>.Configuration.adding(on: queue)
    configuration.onEvent = { sum.value += $0.sum }
    let activation = Setup<ActivatedSource<AddedData>>(configuration).activate()
    activation.invalidate()
    return Int(sum.value)
  #endif
}
