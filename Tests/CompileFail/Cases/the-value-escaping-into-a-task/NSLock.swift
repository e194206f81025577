import CaseSupport
import Foundation

final class Counter: @unchecked Sendable {
  let lock = NSLock()
  var count = 0
}

@main enum Program {
  static func main() {
    let counter = Counter()
    let incremented = Gate()
    counter.lock.withLock {
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
