// A cell whose initializer awaits it.
//
// The task waits for its own end.
//
// Traps: OnceCell: initialized from inside its own initializer; compute what it needs before, or split the work in two

import LazyInitialization

func run() async {
  let cell = OnceCell<Int>()
  let value = try? await cell.value(orInitialize: {
    await Task.yield()
    #if WRONG
      return try await cell.value(orInitialize: { 2 })
    #else
      return 2
    #endif
  })
  conclude(value, shouldBe: 2)
}
