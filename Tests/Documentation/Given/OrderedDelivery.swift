import Observers
import Protectors

@MainActor final class Table {
  func insert(_ name: String) {}
}

let name = "a name"
let delivery = OrderedDelivery<String>(limit: 10) { _ in }
