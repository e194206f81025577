import Protectors

func reset(_ balance: Protector<Int>) {
  balance.withWriteLock { $0 = 0 }
}
