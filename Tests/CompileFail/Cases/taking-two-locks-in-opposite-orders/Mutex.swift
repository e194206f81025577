import Synchronization

final class Bank: Sendable {
  let ann = Mutex(100)
  let bob = Mutex(100)
}

func run() {
  let bank = Bank()
  let hasAnn = Gate()
  let hasBob = Gate()
  let end = startThread {
    bank.bob.withLock { bob in
      hasBob.open()
      hasAnn.pass()
      bank.ann.withLock { swap(&$0, &bob) }
    }
  }
  bank.ann.withLock { ann in
    hasAnn.open()
    hasBob.pass()
    bank.bob.withLock { swap(&$0, &ann) }
  }
  end.pass()
  conclude(bank.ann.withLock { $0 }, shouldBe: 100)
}
