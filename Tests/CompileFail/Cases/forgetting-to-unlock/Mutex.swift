import Synchronization

final class Account: Sendable {
  private let balance = Mutex(100)

  func withdraw(_ amount: Int) -> Bool {
    balance.lock()
    // error: value of type 'Mutex<Int>' has no member 'lock'
    guard amount <= 100 else { return false }
    balance.unlock()
    // error: value of type 'Mutex<Int>' has no member 'unlock'
    return true
  }
}
