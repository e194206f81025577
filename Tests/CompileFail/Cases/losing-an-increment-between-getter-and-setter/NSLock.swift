import CaseSupport
import Foundation

final class Statistics: @unchecked Sendable {
  private let lock = NSLock()
  private var storage = 0

  var hits: Int {
    get { lock.withLock { storage } }
    set { lock.withLock { storage = newValue } }
  }
}

func one(meanwhile body: () -> Void) -> Int {
  body()
  return 1
}

@main enum Program {
  static func main() {
    let statistics = Statistics()
    statistics.hits = statistics.hits + one { onAnotherThread { statistics.hits += 1 } }
    conclude(statistics.hits, shouldBe: 2)
  }
}
