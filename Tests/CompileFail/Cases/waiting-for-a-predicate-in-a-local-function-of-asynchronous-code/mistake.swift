// Waiting for a predicate in a local function of asynchronous code.
//
// The wait blocks the main actor's thread until the predicate is true, and the task that makes it true needs the main actor. In the
// same way, waits in tasks can block all threads that tasks share, and stop all tasks of the program.
//
// Hangs: The compiler does not look into the closures and local functions that asynchronous code calls: each of them may be
// called on a thread that can be blocked. Await the task, or wait on a thread of your own.

import Protectors

@MainActor func run() async {
  let answer = Protector<Int?>(nil)
  let task = Task { @MainActor in answer.withWriteLock { $0 = 42 } }
  #if WRONG
    func wait() { answer.withReadLock(waitingUntil: { $0 != nil }) { _ in } }
    wait()
    withExtendedLifetime(task) {}
  #else
    await task.value
  #endif
  conclude(answer.value, shouldBe: 42)
}
