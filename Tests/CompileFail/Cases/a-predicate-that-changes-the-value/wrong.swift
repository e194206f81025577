// A predicate that changes the value.
//
// It is evaluated an unknown number of times, by whoever writes: so often it is changed.
//
// Not with Mutex, NSLock, pthread_rwlock, SerialQueue: they have no predicates to wait for.

import Protectors

func next(_ jobs: Protector<[String]>) -> Int? {
  jobs.withWriteLock(waitingUntil: { $0.popLast() != nil }) { $0.count }
  // error: cannot use mutating member on immutable value: '$0' is immutable
}
