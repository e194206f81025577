import CaseSupport
import Foundation

final class Counter: @unchecked Sendable {
  let lock = NSLock()
  var count = 0

  func later() -> @Sendable () -> Void {
    lock.lock()
    defer { lock.unlock() }
    return { self.count += 1 }
  }
}

@main enum Program {
  static func main() {
    let counter = Counter()
    let increment = counter.later()
    counter.lock.withLock {
      let count = counter.count
      onAnotherThread(increment)
      counter.count = count + 1
    }
    conclude(counter.count, shouldBe: 2)
  }
}
