// Waiting for a serial queue on itself.
//
// The queue waits for the end of the work that waits for the queue.
//
// Traps: QueueProperty: used on its own queue 'messages', which would wait for itself; call from another queue, or use the
// value that update(_:) passes in

import AtomicProperties
import Dispatch

func run() {
  let queue = DispatchQueue(label: "messages")
  let messages = QueueProperty([String](), on: queue)
  #if WRONG
    queue.sync { messages.value.append("Hello") }
  #else
    messages.value.append("Hello")
  #endif
  conclude(messages.value.count, shouldBe: 1)
}
