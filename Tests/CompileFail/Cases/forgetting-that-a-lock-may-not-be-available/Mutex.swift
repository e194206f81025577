import Synchronization

func deposit(_ amount: Int, to balance: borrowing Mutex<Int>) -> Int {
  let total: Int = balance.withLockIfAvailable { balance in
    // error: cannot convert value of type 'Int?' to specified type 'Int'
    balance += amount
    return balance
  }
  return total
}
