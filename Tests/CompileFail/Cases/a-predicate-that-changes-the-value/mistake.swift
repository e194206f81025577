// A predicate that changes the value.
//
// It is evaluated an unknown number of times, by whoever writes: so often it is changed.

import Protectors

func next(_ jobs: Protector<[String]>) -> Int? {
  #if WRONG
    jobs.withWriteLock(waitingUntil: { $0.popLast() != nil }) { $0.count }
  // error: cannot use mutating member on immutable value: '$0' is immutable
  #else
    jobs.withWriteLock(waitingUntil: { $0.last != nil }) { $0.count }
  #endif
}
