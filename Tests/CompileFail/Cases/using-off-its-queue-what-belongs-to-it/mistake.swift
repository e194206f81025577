// Calling a queue's function off the queue.
//
// The function changes what the queue's other work relies on.
//
// Traps: QueueProperty: used off the queue 'messages' where it must be on it; enter the queue first, with sync or async

import AtomicProperties
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

func run() {
  let messages = Messages()
  #if WRONG
    messages.deliver()
  #else
    messages.queue.sync { messages.deliver() }
  #endif
  conclude(messages.count.value, shouldBe: 0)
}
