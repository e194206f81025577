// Old names of jobs.
//
// None: each message says the new name.

import Dispatch
import Jobs

func wait(for limiter: RateLimiter) throws {
  #if WRONG
    limiter.waitForPermit()
    // error: 'waitForPermit()' has been renamed to 'takePermit()'
    if limiter.tryAcquire() { return }
    // error: 'tryAcquire()' has been renamed to 'takePermitIfAvailable()'
    _ = limiter.waitForPermit(timeout: .seconds(1))
  // error: 'waitForPermit(timeout:)' has been renamed to 'takePermit(timeout:)': it throws
  // TimeoutError
  #else
    limiter.takePermit()
    if limiter.takePermitIfAvailable() { return }
    try limiter.takePermit(timeout: .seconds(1))
  #endif
}

func finish(_ mailbox: Mailbox<Int>, on queue: DispatchQueue) {
  #if WRONG
    mailbox.end()
    // error: 'end()' has been renamed to 'finish()'
    withJobs(completionOn: queue, { _ in }, completion: {})
  // error: 'withJobs(on:maxConcurrentJobs:completionOn:_:completion:)' is unavailable: write
  // 'completion: { @MainActor in … }', or 'queue.async { … }' inside the completion
  #else
    mailbox.finish()
    withJobs({ _ in }, completion: { queue.async {} })
  #endif
}
