final class Counter: @unchecked Sendable {
  let lock = PeerLock()
  var count = 0
}

func run() {
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
