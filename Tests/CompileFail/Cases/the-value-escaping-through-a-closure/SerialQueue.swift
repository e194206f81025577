import CaseSupport
import Dispatch

final class Counter: @unchecked Sendable {
  let queue = DispatchQueue(label: "counter")
  var count = 0

  func later() -> @Sendable () -> Void {
    queue.sync {
      return { self.count += 1 }
    }
  }
}

@main enum Program {
  static func main() {
    let counter = Counter()
    let increment = counter.later()
    counter.queue.sync {
      let count = counter.count
      onAnotherThread(increment)
      counter.count = count + 1
    }
    conclude(counter.count, shouldBe: 2)
  }
}
