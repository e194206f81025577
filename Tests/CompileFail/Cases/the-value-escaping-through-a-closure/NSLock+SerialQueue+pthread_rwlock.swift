final class Counter: @unchecked Sendable {
  let lock = PeerLock()
  var count = 0

  func later() -> @Sendable () -> Void {
    lock.withLock { { self.count += 1 } as @Sendable () -> Void }
  }
}

func run() {
  let counter = Counter()
  let increment = counter.later()
  counter.lock.withLock {
    let count = counter.count
    onAnotherThread(increment)
    counter.count = count + 1
  }
  conclude(counter.count, shouldBe: 2)
}
