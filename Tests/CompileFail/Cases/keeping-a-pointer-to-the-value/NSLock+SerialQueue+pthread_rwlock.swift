final class Account: @unchecked Sendable {
  let lock = PeerLock()
  var balance = 100
}

func run() {
  let account = Account()
  let pointer = account.lock.withLock {
    withUnsafeMutablePointer(to: &account.balance) { UInt(bitPattern: $0) }
  }
  account.lock.withLock {
    let before = account.balance
    onAnotherThread { UnsafeMutablePointer<Int>(bitPattern: pointer)!.pointee += 50 }
    account.balance = before + 30
  }
  conclude(account.balance, shouldBe: 180)
}
