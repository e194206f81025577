import AtomicProperties
import Synchronization

let requests = AtomicProperty(1)
let names = QueueProperty(["Ann"])
let connections = LockFreeProperty(0)
names.value.append("Bob")
connections.wrappingAdd(3, ordering: .relaxed)
precondition(requests.exchange(5) == 1 && names.value == ["Ann", "Bob"] && connections.value == 3)
