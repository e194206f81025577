import UnfairLocks

final class Account: @unchecked Sendable {
  private let lock = UnfairLock()
  private var balance = 100

  func withdraw(_ amount: Int) -> Bool {
    lock.withLock {
      guard amount <= balance else { return false }
      balance -= amount
      return true
    }
  }
}
