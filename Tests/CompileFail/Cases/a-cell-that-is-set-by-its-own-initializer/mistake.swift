// A cell set by its own initializer.
//
// The initializer waits for its own end.
//
// Traps: OnceCell: set called from inside its own initializer; compute what it needs before, or split the work in two

import LazyInitialization

func run() {
  let cell = OnceCell<Int>()
  #if WRONG
    let value = cell.value(orInitialize: { cell.set(1) ?? 2 })
  #else
    let value = cell.value(orInitialize: { 2 })
  #endif
  conclude(value, shouldBe: 2)
}
