func run() {
  let lock = PeerLock()
  var balance = 100
  lock.withLock {
    balance += 30
    lock.withLock { balance += 50 }
  }
  conclude(balance, shouldBe: 180)
}
