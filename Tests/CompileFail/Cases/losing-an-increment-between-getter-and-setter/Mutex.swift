import Synchronization

final class Statistics: Sendable {
  private let storage = Mutex(0)

  var hits: Int {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }
}

func one(meanwhile body: () -> Void) -> Int {
  body()
  return 1
}

func run() {
  let statistics = Statistics()
  statistics.hits = statistics.hits + one { onAnotherThread { statistics.hits += 1 } }
  conclude(statistics.hits, shouldBe: 2)
}
