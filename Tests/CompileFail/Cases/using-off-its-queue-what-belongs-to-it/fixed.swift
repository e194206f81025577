import AtomicProperties
import CaseSupport
import Dispatch

final class Messages: Sendable {
  let queue = DispatchQueue(label: "messages")
  let count: QueueProperty<Int>

  init() { count = QueueProperty(0, on: queue) }

  /// Only on the queue.
  func deliver() {
    count.preconditionOnQueue()
  }
}

@main enum Program {
  static func main() {
    let messages = Messages()
    messages.queue.sync { messages.deliver() }
    conclude(messages.count.value, shouldBe: 0)
  }
}
