import Foundation

func run() {
  let lock = NSLock()
  let isHeld = Gate()
  let isTried = Gate()
  let end = startThread {
    lock.withLock {
      isHeld.open()
      isTried.pass()
    }
  }
  isHeld.pass()
  // The other one is about to release it.
  let hasLocked = lock.lock(before: Date().addingTimeInterval(-1))
  isTried.open()
  end.pass()
  conclude(hasLocked, shouldBe: true)
}
