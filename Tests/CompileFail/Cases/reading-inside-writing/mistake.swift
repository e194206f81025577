// Reading inside a write section.
//
// The reader waits for the writer, which is the same thread.
//
// Traps: Protector: locked for reading by the thread that holds it for writing; use what the write section gives
// access to

import Protectors

func run() {
  let balance = Protector(100)
  balance.withWriteLock {
    #if WRONG
      $0 += balance.value
    #else
      $0 += $0
    #endif
  }
  conclude(balance.value, shouldBe: 200)
}
