import Protectors
import ReadWriteLocks

func deposit(_ amount: Int, to balance: LockProtector<Int, CompactReadWriteLock>) -> Bool {
  balance.withWriteLock(timeout: .seconds(1)) { $0 += amount }
}
