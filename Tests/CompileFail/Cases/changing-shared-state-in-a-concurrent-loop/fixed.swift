import AtomicProperties
import Jobs

func total(_ numbers: [Int]) -> Int {
  let total = AtomicProperty(0)
  numbers.concurrentForEach { total.value += $0 }
  return total.value
}
