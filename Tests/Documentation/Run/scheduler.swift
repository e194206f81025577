// Two jobs run until the scheduler ends, and none after it.
func schedule() async throws {
  let scheduler = Scheduler()
  let runs = Protector([0, 0])
  for job in 0..<2 {
    scheduler.run(every: .milliseconds(1)) { runs.withWriteLock { $0[job] += 1 } }
  }
  try await runs.withReadLock(waitingUntil: { $0.allSatisfy { $0 >= 3 } }) { _ in }
  await scheduler.finish()
  let count = runs.value
  try await Task.sleep(for: .milliseconds(5))
  precondition(runs.value == count)
}

try await schedule()
