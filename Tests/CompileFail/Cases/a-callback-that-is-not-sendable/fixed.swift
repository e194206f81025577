import AtomicProperties
import Dispatch
import EventSources
import Lifecycles

func listen(_ queue: DispatchQueue) -> Int {
  let sum = AtomicProperty<UInt>(0)
  var configuration = ActivatedSource<AddedData>.Configuration.adding(on: queue)
  configuration.onEvent = { sum.value += $0.sum }
  let activation = Setup<ActivatedSource<AddedData>>(configuration).activate()
  activation.invalidate()
  return Int(sum.value)
}
