import Dispatch
import EventSources
import Lifecycles

struct Connection {
  func read(upTo byteCount: UInt) {}
  func close() {}
}
let connection = Connection()
let descriptor: Int32 = 0
let queue = DispatchQueue(label: "connection")
