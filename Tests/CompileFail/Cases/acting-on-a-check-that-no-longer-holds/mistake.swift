// Acting on an outdated check.
//
// Between the section that looks and the section that acts another thread has acted: one seat is sold twice.
//
// Silently wrong: Two sections in a row are a correct program for all that the types say; that the second relies on what the
// first has seen is known to its author alone. One section with both makes one step of the two.

import Protectors

func run() {
  let seats = Protector(1)
  #if WRONG
    let isFree = seats.withReadLock { $0 > 0 }
    onAnotherThread { seats.withWriteLock { if $0 > 0 { $0 -= 1 } } }
    if isFree { seats.withWriteLock { $0 -= 1 } }
  #else
    onAnotherThread { seats.withWriteLock { if $0 > 0 { $0 -= 1 } } }
    seats.withWriteLock { if $0 > 0 { $0 -= 1 } }
  #endif
  conclude(seats.value, shouldBe: 0)
}
