// Ignoring that a wait timed out.
//
// The time has passed, the value is not as it has to be, and the caller goes on as if it were.

import Protectors

#if WRONG
  func next(_ jobs: Protector<[String]>) -> String {
    jobs.withWriteLock(waitingUntil: { !$0.isEmpty }, timeout: .seconds(1)) { $0.removeFirst() }
    // error: call can throw, but it is not marked with 'try' and the error is not handled
  }

  func later(_ jobs: Protector<[String]>) async -> String {
    await jobs.withWriteLock(waitingUntil: { !$0.isEmpty }) { $0.removeFirst() }
    // error: call can throw, but it is not marked with 'try' and the error is not handled
  }
#else
  func next(_ jobs: Protector<[String]>) throws -> String {
    try jobs.withWriteLock(waitingUntil: { !$0.isEmpty }, timeout: .seconds(1)) { $0.removeFirst() }
  }

  func later(_ jobs: Protector<[String]>) async throws -> String {
    try await jobs.withWriteLock(waitingUntil: { !$0.isEmpty }) { $0.removeFirst() }
  }
#endif
