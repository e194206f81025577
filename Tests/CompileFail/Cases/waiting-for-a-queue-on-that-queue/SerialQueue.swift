import Dispatch

final class Messages: @unchecked Sendable {
  let queue = DispatchQueue(label: "messages")
  private var storage: [String] = []

  var value: [String] {
    get { queue.sync { storage } }
    set { queue.sync { storage = newValue } }
  }
}

func run() {
  let messages = Messages()
  messages.queue.sync { messages.value.append("Hello") }
  conclude(messages.value.count, shouldBe: 1)
}
