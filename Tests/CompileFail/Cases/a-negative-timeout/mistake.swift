// A negative timeout.
//
// Somebody subtracted two times in the wrong order; what ought to wait never does, and nobody learns why.
//
// Traps: UnfairLock: a timeout of -1.0 seconds is negative; pass .zero to try once without waiting

import UnfairLocks

func run() {
  let lock = UnfairLock()
  let start = Duration.seconds(1)
  let end = Duration.seconds(2)
  #if WRONG
    let hasRun = try? lock.withLock(timeout: start - end) { true }
  #else
    let hasRun = try? lock.withLock(timeout: end - start) { true }
  #endif
  conclude(hasRun ?? false, shouldBe: true)
}
