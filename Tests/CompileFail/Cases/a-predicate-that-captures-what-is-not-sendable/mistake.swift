// A predicate that captures a non-Sendable object.
//
// The threads that write evaluate it: two threads use the captured object, one of them unasked.
//
// It compiles in Swift 5 mode.

import Protectors

#if WRONG
  final class Filter {
    var least = 1
  }
#else
  final class Filter: Sendable {
    let least = 1
  }
#endif

func next(_ jobs: Protector<[String]>, _ filter: Filter) -> String? {
  jobs.withWriteLock(waitingUntil: { $0.count >= filter.least }) { $0.removeFirst() }
  // error: capture of 'filter' with non-Sendable type 'Filter' in a '@Sendable' closure
}
