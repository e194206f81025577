final class Bank: @unchecked Sendable {
  let lock = PeerLock()
  var ann = 100
  var bob = 100
  var total = 0
}

func run() {
  let bank = Bank()
  bank.lock.withLock { bank.ann -= 30 }
  onAnotherThread { bank.lock.withLock { bank.total = bank.ann + bank.bob } }
  bank.lock.withLock { bank.bob += 30 }
  conclude(bank.total, shouldBe: 200)
}
