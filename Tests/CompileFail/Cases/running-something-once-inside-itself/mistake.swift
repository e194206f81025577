// Running `Once` inside itself.
//
// The inner run waits for the outer one, which waits for the inner one.
//
// Traps: Once: run called from inside its own body; compute what it needs before, or split the work in two

import LazyInitialization

func run() {
  let once = Once()
  var runs = 0
  once.run {
    #if WRONG
      once.run { runs += 1 }
    #else
      runs += 1
    #endif
  }
  conclude(runs, shouldBe: 1)
}
