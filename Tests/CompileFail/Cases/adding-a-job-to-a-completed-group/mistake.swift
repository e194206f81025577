// Adding a job to a completed group.
//
// The completion has run, and the job's end is nobody's business.

import Dispatch
import Jobs

func work() {
  #if WRONG
    var kept: JobScope<Never>?
    withJobs { jobs in
      kept = jobs
      // error: implicit conversion to 'JobScope<Never>?' is consuming
    } completion: {
    }
    kept?.add {}
  #else
    withJobs { jobs in
      jobs.add {}
    } completion: {
    }
  #endif
}
