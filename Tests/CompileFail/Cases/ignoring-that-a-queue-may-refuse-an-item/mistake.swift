// Ignoring that an AsyncQueue refused an item.
//
// The queue had no room, the deposit was not made, and nobody knows.
//
// Warned: Whether a result may be ignored is a warning in Swift.

import Jobs
import Protectors

let balance = Protector(100)

func deposit(_ amount: Int, in queue: AsyncQueue) async {
  #if WRONG
    queue.add { balance.withWriteLock { $0 += amount } }
  // error: result of call to 'add' is unused
  #else
    _ = try? await queue.addWaitingForRoom { balance.withWriteLock { $0 += amount } }
  #endif
}

func run() async {
  let queue = AsyncQueue(maxWaitingItems: 0)
  let busy = Protector(true)
  _ = queue.add { try await busy.withReadLock(waitingUntil: { !$0 }) { _ in } }
  async let deposited: Void = deposit(50, in: queue)
  #if WRONG
    await deposited
  #endif
  busy.withWriteLock { $0 = false }
  #if !WRONG
    await deposited
  #endif
  await queue.finish()
  conclude(balance.value, shouldBe: 150)
}
