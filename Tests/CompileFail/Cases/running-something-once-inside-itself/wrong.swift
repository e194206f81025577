// Running `Once` inside itself.
//
// The inner run waits for the outer one, which waits for the inner one.
//
// Traps: Once: run called from inside its own body; compute what it needs before, or split the work in two
//
// Not with Mutex, NSLock, pthread_rwlock, SerialQueue: they run anything any number of times; see “Acquiring a lock twice”.

import CaseSupport
import LazyInitialization

@main enum Program {
  static func main() {
    let once = Once()
    var runs = 0
    once.run {
      once.run { runs += 1 }
    }
    conclude(runs, shouldBe: 1)
  }
}
