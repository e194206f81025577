import Protectors

func deposit(_ balance: ExclusiveProtector<Int>) {
  balance.withLock { $0 += 30 }
}
