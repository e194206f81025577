import AtomicProperties
import Synchronization

// A client of the product AtomicProperties alone: it shows that the product compiles and loads by itself.

final class Statistics: Sendable {
  let requests = AtomicProperty(0)
  let names = QueueProperty<[String]>([])
  let connections = LockFreeProperty(0)
}

let statistics = Statistics()
statistics.requests.value += 2
statistics.names.value.append("Ann")
statistics.names.modify { $0.append("Bob") }
statistics.names.preconditionNotOnQueue()
statistics.connections.wrappingAdd(3, ordering: .relaxed)
precondition(statistics.requests.exchange(5) == 2)
precondition(statistics.requests.compareExchange(expected: 5, desired: 6).exchanged)
precondition(statistics.names.value == ["Ann", "Bob"])
precondition(statistics.connections.value == 3)

/// Uses the property wrappers in a function, because they can't be used at the top level.
func useWrappers() {
  @AtomicProperty var total = 1
  @QueueProperty var log: [String] = []
  @LockFreeProperty var isStopping = false
  total += 1
  log += ["started"]
  $isStopping.store(true, ordering: .releasing)
  precondition(total == 2 && log == ["started"] && isStopping)
}

useWrappers()
print("AtomicProperties: \(statistics.requests.value) requests")
