// Replacing a value whose deinit acquires the lock.
//
// The old value ends inside the section: a callback that nobody thought of waits for the lock that its thread holds.
//
// Traps: Protector: locked for reading by the thread that holds it for writing; use what the write section gives
// access to

import Protectors

let current = Protector(Session(0))

final class Session: Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }

  deinit { _ = current.withReadLock { $0.number } }
}

func run() {
  #if WRONG
    current.withWriteLock { $0 = Session(1) }
  #else
    current.exchange(Session(1))
  #endif
  conclude(current.value.number, shouldBe: 1)
}
