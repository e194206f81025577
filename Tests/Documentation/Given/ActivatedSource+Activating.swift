import Dispatch
import EventSources
import Lifecycles

struct Connection {
  func close() {}
}
let connection = Connection()
let queue = DispatchQueue(label: "timers")
func show(_ count: UInt) {}
