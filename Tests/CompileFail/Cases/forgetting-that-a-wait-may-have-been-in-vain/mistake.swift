// Ignoring that a wait timed out.
//
// The time has passed, the value is not as it has to be, and the caller goes on as if it were.

import Protectors

#if WRONG
  func next(_ jobs: Protector<[String]>) -> String {
    jobs.withWriteLock(waitingUntil: { !$0.isEmpty }, timeout: .seconds(1)) { $0.removeFirst() }
    // error: cannot convert return expression of type 'String?' to return type 'String'
  }
#else
  func next(_ jobs: Protector<[String]>) -> String? {
    jobs.withWriteLock(waitingUntil: { !$0.isEmpty }, timeout: .seconds(1)) { $0.removeFirst() }
  }
#endif
