import Protectors

func deposit(_ amount: Int, to balance: Protector<Int>) -> Int? {
  let total: Int? = balance.withWriteLockIfAvailable { balance in
    balance += amount
    return balance
  }
  return total
}
