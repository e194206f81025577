final class Statistics: @unchecked Sendable {
  private let lock = PeerLock()
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

func run() {
  let statistics = Statistics()
  statistics.hits = statistics.hits + one { onAnotherThread { statistics.hits += 1 } }
  conclude(statistics.hits, shouldBe: 2)
}
