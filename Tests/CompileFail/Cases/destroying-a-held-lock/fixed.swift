import CaseSupport
import UnfairLocks

final class Account: @unchecked Sendable {
  let lock = UnsafeMutablePointer<UnfairLock>.allocate(capacity: 1)
  var balance = 100

  init() { lock.initialize(to: UnfairLock()) }

  func reset() {
    lock.deinitialize(count: 1)
    lock.initialize(to: UnfairLock())
  }
}

@main enum Program {
  static func main() {
    let account = Account()
    account.lock.pointee.withLock {
      let balance = account.balance
      account.balance = balance + 30
    }
    account.reset()
    conclude(account.balance, shouldBe: 130)
  }
}
