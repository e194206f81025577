import Synchronization

final class Account: @unchecked Sendable {
  let lock = UnsafeMutablePointer<Mutex<Void>>.allocate(capacity: 1)
  var balance = 100

  init() { lock.initialize(to: Mutex(())) }

  func reset() {
    lock.deinitialize(count: 1)
    lock.initialize(to: Mutex(()))
  }
}

func run() {
  let account = Account()
  let isChanged = Gate()
  let end = Gate()
  account.lock.pointee.withLock { _ in
    let balance = account.balance
    account.reset()
    _ = startThread {
      account.lock.pointee.withLock { _ in
        account.balance += 50
        isChanged.open()
      }
      end.open()
    }
    isChanged.pass()
    account.balance = balance + 30
    end.pass()
  }
  conclude(account.balance, shouldBe: 180)
}
