// A timeout for a lock without timeouts.
//
// The caller believes to be back in time and is not.

import Protectors
import ReadWriteLocks

#if WRONG
  func deposit(_ amount: Int, to balance: LockProtector<Int, DispatchReadWriteLock>) throws {
    try balance.withWriteLock(timeout: .seconds(1)) { $0 += amount }
    // error: referencing instance method 'withWriteLock(timeout:_:)' on 'LockProtector' requires that
    // 'DispatchReadWriteLock' conform to 'RawReadWriteLock'
  }
#else
  func deposit(_ amount: Int, to balance: LockProtector<Int, CompactReadWriteLock>) throws {
    try balance.withWriteLock(timeout: .seconds(1)) { $0 += amount }
  }
#endif
