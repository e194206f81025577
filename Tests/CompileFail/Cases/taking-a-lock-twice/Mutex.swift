import Synchronization

func run() {
  let balance = Mutex(100)
  balance.withLock {
    $0 += 30
    balance.withLock { $0 += 50 }
  }
  conclude(balance.withLock { $0 }, shouldBe: 180)
}
