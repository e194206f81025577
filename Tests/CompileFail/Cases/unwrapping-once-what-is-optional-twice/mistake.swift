// Taking the optional result of a timed section for its body's.
//
// One `nil` says that the time has passed, the other one that there was no job.

import Protectors

func next(_ jobs: Protector<[String]>) -> String? {
  #if WRONG
    jobs.withWriteLock(waitingUntil: { !$0.isEmpty }, timeout: .seconds(1)) { $0.popLast() }
  // error: value of optional type 'String?' must be unwrapped to a value of type 'String'
  #else
    jobs.withWriteLock(waitingUntil: { !$0.isEmpty }, timeout: .seconds(1)) { $0.popLast() } ?? nil
  #endif
}
