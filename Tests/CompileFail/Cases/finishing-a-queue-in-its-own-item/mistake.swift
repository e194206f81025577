// Awaiting the end of an AsyncQueue in one of its items.
//
// The item waits for itself.
//
// Traps: AsyncQueue: an item awaits the end of its own queue; call finish() outside of its items

import Jobs

func run() async {
  let queue = AsyncQueue()
  let item = queue.add {
    #if WRONG
      await queue.finish()
    #endif
    return 42
  }
  #if !WRONG
    await queue.finish()
  #endif
  conclude(try? await item?.value, shouldBe: 42)
}
