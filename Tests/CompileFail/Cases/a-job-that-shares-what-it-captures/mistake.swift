// A background job that shares its captures.
//
// It runs beside the one who added it, and both change the same object.
//
// It compiles in Swift 5 mode.

import Dispatch
import Jobs

func edit(_ document: Document) {
  withJobs { jobs in
    #if !WRONG
      let document = Document()
    #endif
    jobs.add { document.edits += 1 }
    // error: passing closure as a 'sending' parameter risks causing data races between code in the
    // current task and concurrent execution of the closure
  } completion: {
  }
}
