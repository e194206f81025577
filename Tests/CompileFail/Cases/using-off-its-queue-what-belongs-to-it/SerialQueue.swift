import Dispatch

final class Messages: @unchecked Sendable {
  let queue = DispatchQueue(label: "messages")
  var count = 0

  /// Only on the queue.
  func deliver() {
    dispatchPrecondition(condition: .onQueue(queue))
    count += 1
  }
}

func run() {
  let messages = Messages()
  messages.deliver()
  conclude(messages.count, shouldBe: 1)
}
