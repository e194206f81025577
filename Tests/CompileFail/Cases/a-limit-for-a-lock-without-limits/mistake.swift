// A timeout for a lock without timeouts.
//
// The caller believes to be back in time and is not.
//
// Not with Mutex, NSLock, pthread_rwlock, SerialQueue: there, the kind of lock is no parameter of the code that uses it.

import Protectors
import ReadWriteLocks

#if WRONG
  func deposit(_ amount: Int, to balance: LockProtector<Int, DispatchReadWriteLock>) -> Bool {
    balance.withWriteLock(timeout: .seconds(1)) { $0 += amount }
    // error: referencing instance method 'withWriteLock(timeout:_:)' on 'LockProtector' requires that
    // 'DispatchReadWriteLock' conform to 'TimedReadWriteLock'
  }
#else
  func deposit(_ amount: Int, to balance: LockProtector<Int, CompactReadWriteLock>) -> Bool {
    balance.withWriteLock(timeout: .seconds(1)) { $0 += amount }
  }
#endif
