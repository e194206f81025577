// Timing out the wait for a task that is not cancelled with it.
//
// Nobody cancels the task, and the caller waits for its end, however late that is.
//
// Hangs: A task is awaited to its end, also by a cancelled waiter, and withTimeout leaves no operation behind.

import Jobs
import Protectors

func run() async {
  let hasAnswer = Protector(false)
  let answer = Task { (try? await hasAnswer.withReadLock(waitingUntil: { $0 }) { $0 }) ?? false }
  let isAnswered = await withTimeout(.milliseconds(10)) { () async -> Bool in
    #if WRONG
      return await answer.value
    #else
      return await withTaskCancellationHandler {
        await answer.value
      } onCancel: {
        answer.cancel()
      }
    #endif
  }
  conclude(isAnswered, shouldBe: false)
}
