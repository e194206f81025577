// A predicate that captures a non-Sendable object.
//
// The threads that write evaluate it: two threads use the captured object, one of them unasked.
//
// It compiles in Swift 5 mode.

import Protectors

#if WRONG
  final class Filter {
    var accepted = 0

    func accepts(_ job: String?) -> Bool {
      accepted += 1
      return job != nil
    }
  }
#else
  final class Filter: Sendable {
    func accepts(_ job: String?) -> Bool {
      return job != nil
    }
  }
#endif

func next(_ jobs: Protector<[String]>, _ filter: Filter) -> String? {
  jobs.withWriteLock(waitingUntil: { filter.accepts($0.first) }) { $0.removeFirst() }
  // error: capture of 'filter' with non-Sendable type 'Filter' in a '@Sendable' closure
}
