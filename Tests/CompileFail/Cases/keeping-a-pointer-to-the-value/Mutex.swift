import Synchronization

final class Account: Sendable {
  let balance = Mutex(100)
}

func run() {
  let account = Account()
  let pointer = account.balance.withLock { balance in
    withUnsafeMutablePointer(to: &balance) { UInt(bitPattern: $0) }
  }
  account.balance.withLock { balance in
    let before = balance
    onAnotherThread { UnsafeMutablePointer<Int>(bitPattern: pointer)!.pointee += 50 }
    balance = before + 30
  }
  conclude(account.balance.withLock { $0 }, shouldBe: 180)
}
