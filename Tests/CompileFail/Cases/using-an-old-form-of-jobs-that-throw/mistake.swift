// An old argument of jobs.
//
// None: each message says what to write.

import Jobs

struct Failure: Error {}

func work() async throws {
  #if WRONG
    try await withJobs(throwing: Failure.self) { jobs in
      // error: 'withJobs(throwing:on:maxConcurrentJobs:_:)' is unavailable: leave 'throwing:' out, or
      // write the type: { (jobs: borrowing JobScope<Failure>) in … }
      jobs.add { () throws(Failure) in throw Failure() }
    }
  #else
    try await withJobs { (jobs: borrowing JobScope<Failure>) in
      jobs.add { () throws(Failure) in throw Failure() }
    }
  #endif
}
