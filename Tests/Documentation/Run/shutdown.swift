// A cancelled task waits to the end.
let workers = Protector(1)
let waiting = Task {
  await waitForWorkers(workers)
  return workers.value
}
waiting.cancel()
let worker = Task { workers.withWriteLock { $0 = 0 } }
let left = await waiting.value
precondition(left == 0)
