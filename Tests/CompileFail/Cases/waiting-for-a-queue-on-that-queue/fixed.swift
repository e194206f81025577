import AtomicProperties
import CaseSupport
import Dispatch

@main enum Program {
  static func main() {
    let queue = DispatchQueue(label: "messages")
    let messages = QueueProperty([String](), on: queue)
    messages.value.append("Hello")
    conclude(messages.value.count, shouldBe: 1)
  }
}
