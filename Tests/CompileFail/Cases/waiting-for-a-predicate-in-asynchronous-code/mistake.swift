// Waiting for a predicate in asynchronous code.
//
// The wait blocks a thread of the cooperative pool. When all of its threads wait, the task that would make the predicate true
// never runs.

import Protectors

#if WRONG
  func read(_ answer: Protector<Int?>) async -> Int {
    answer.withReadLock(waitingUntil: { $0 != nil }) { $0! }
    // error: call can throw, but it is not marked with 'try' and the error is not handled
    // error: expression is 'async' but is not marked with 'await'
  }

  func readInTime(_ answer: Protector<Int?>) async throws {
    try answer.withWriteLock(waitingUntil: { $0 != nil }, timeout: .seconds(1)) { $0 = nil }
    // error: expression is 'async' but is not marked with 'await'
  }

  func move(_ source: Protector<Int>, _ target: Protector<Int>) async throws {
    try withWriteLocks(source, target, waitingUntil: { $0 > 0 && $1 == 0 }) { swap(&$0, &$1) }
    // error: expression is 'async' but is not marked with 'await'
  }
#else
  func read(_ answer: Protector<Int?>) async throws -> Int {
    try await answer.withReadLock(waitingUntil: { $0 != nil }) { $0! }
  }

  func readInTime(_ answer: Protector<Int?>) async throws {
    try await answer.withWriteLock(waitingUntil: { $0 != nil }, timeout: .seconds(1)) { $0 = nil }
  }

  func move(_ source: Protector<Int>, _ target: Protector<Int>) async throws {
    try await withWriteLocks(source, target, waitingUntil: { $0 > 0 && $1 == 0 }) { swap(&$0, &$1) }
  }
#endif
