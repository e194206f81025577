// A lazy value that needs itself.
//
// The closure waits for its own end.
//
// Traps: Lazy: value read from inside the closure that makes it; compute what it needs before, or split the work in two

import LazyInitialization

enum Table {
  #if WRONG
    static let size: Lazy<Int> = Lazy { size.value * 2 }
  #else
    static let size: Lazy<Int> = Lazy { 1 * 2 }
  #endif
}

func run() {
  conclude(Table.size.value, shouldBe: 2)
}
