import CaseSupport
import Dispatch

final class Counter: @unchecked Sendable {
  let queue = DispatchQueue(label: "counter")
  var count = 0
}

@main enum Program {
  static func main() {
    let counter = Counter()
    let incremented = Gate()
    counter.queue.sync {
      let count = counter.count
      _ = Task.detached {
        counter.count += 1
        incremented.open()
      }
      incremented.pass()
      counter.count = count + 1
    }
    conclude(counter.count, shouldBe: 2)
  }
}
