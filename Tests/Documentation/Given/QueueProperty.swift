import AtomicProperties
import Dispatch

let queue = DispatchQueue(label: "messages")
nonisolated(unsafe) var storage: [String] = []
