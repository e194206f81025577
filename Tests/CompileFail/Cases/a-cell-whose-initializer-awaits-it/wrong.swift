// A cell whose initializer awaits it.
//
// The task waits for its own end.
//
// Traps: OnceCell: initialized from inside its own initializer; compute what it needs before, or split the work in two
//
// Not with Mutex, NSLock, pthread_rwlock, SerialQueue: they make nothing; see “Acquiring a lock twice”.

import CaseSupport
import LazyInitialization

@main enum Program {
  static func main() async {
    let cell = OnceCell<Int>()
    let value = await cell.value(orInitialize: {
      await Task.yield()
      return await cell.value(orInitialize: { 2 })
    })
    conclude(value, shouldBe: 2)
  }
}
