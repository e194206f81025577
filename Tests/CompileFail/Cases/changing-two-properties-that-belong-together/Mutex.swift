import Synchronization

final class Bank: Sendable {
  let ann = Mutex(100)
  let bob = Mutex(100)
  let total = Mutex(0)
}

func run() {
  let bank = Bank()
  bank.ann.withLock { $0 -= 30 }
  onAnotherThread {
    let total = bank.ann.withLock { $0 } + bank.bob.withLock { $0 }
    bank.total.withLock { $0 = total }
  }
  bank.bob.withLock { $0 += 30 }
  conclude(bank.total.withLock { $0 }, shouldBe: 200)
}
