import Counters
import Interlock

func taskScenarios() {
  scenario("AsyncMutex: 100 sections of a task") { costs in
    let mutex = AsyncMutex(0)
    tasks(1) { _ in
      costs.begin()
      for _ in 0..<100 { await mutex.withLock { $0 += 1 } }
      costs.end()
    }
  }
  scenario("AsyncSemaphore: 100 permits of a task") { costs in
    let semaphore = AsyncSemaphore(permits: 1)
    tasks(1) { _ in
      costs.begin()
      for _ in 0..<100 { await semaphore.withPermit {} }
      costs.end()
    }
  }
  for count in [1, 100, 10_000] {
    for steps in [false, true] {
      scenario("AsyncMutex: \(count) tasks wait, and one gets the lock", steps: steps) { costs in
        let (mutex, gates) = (AsyncMutex(0), [Gate(), Gate()])
        tasks(1) { _ in await mutex.withLock { _ in await gates[0].wait() } }
        tasks(1) { _ in await mutex.withLock { _ in await gates[1].wait() } }
        tasks(count - 1) { _ in await mutex.withLock { $0 += 1 } }
        costs.of(passes: count) {
          gates[0].open()
          costs_run_jobs()
        }
        gates[1].open()
        costs_run_jobs()
      }
      scenario("AsyncMutex: one more task waits beside \(count)", steps: steps) { costs in
        let (mutex, gate) = (AsyncMutex(0), Gate())
        tasks(1) { _ in await mutex.withLock { _ in await gate.wait() } }
        tasks(count) { _ in await mutex.withLock { $0 += 1 } }
        costs.of(passes: count) { tasks(1) { _ in await mutex.withLock { $0 += 1 } } }
        gate.open()
        costs_run_jobs()
      }
      scenario("AsyncMutex: one of \(count) waiting tasks is cancelled", steps: steps) { costs in
        let (mutex, gate) = (AsyncMutex(0), Gate())
        tasks(1) { _ in await mutex.withLock { _ in await gate.wait() } }
        let all = tasks(count) { _ in await lockUnlessCancelled(mutex) }
        costs.of(passes: count) {
          all[count / 2].cancel()
          costs_run_jobs()
        }
        gate.open()
        costs_run_jobs()
      }
    }
    scenario("AsyncMutex: \(count) waiting tasks get the lock in turn") { costs in
      let (mutex, gate) = (AsyncMutex(0), Gate())
      tasks(1) { _ in await mutex.withLock { _ in await gate.wait() } }
      tasks(count) { _ in await mutex.withLock { $0 += 1 } }
      costs.of(passes: count) {
        gate.open()
        costs_run_jobs()
      }
    }
    scenario("AsyncSemaphore: one of \(count) waiting tasks is cancelled", steps: true) { costs in
      let (semaphore, gate) = (AsyncSemaphore(permits: 1), Gate())
      tasks(1) { _ in await semaphore.withPermit { await gate.wait() } }
      let all = tasks(count) { _ in await takePermitUnlessCancelled(semaphore) }
      costs.of(passes: count) {
        all[count / 2].cancel()
        costs_run_jobs()
      }
      gate.open()
      costs_run_jobs()
    }
    // The list of those to resume grows by doubling, to the size that the allocator gives.
    let growth: [Counter: Recorded] = count == 10_000 ? [.allocations: .atMost(16)] : [:]
    scenario("OnceCell: \(count) tasks wait for a value", growth) { costs in
      let (cell, gate) = (BoxedCell(), Gate())
      tasks(1) { _ in
        _ = try? await cell.cell.value {
          await gate.wait()
          return 1
        }
      }
      tasks(count) { _ in _ = try? await cell.cell.value { 2 } }
      costs.of(passes: count) {
        gate.open()
        costs_run_jobs()
      }
    }
  }
}

final class BoxedCell: Sendable {
  let cell = OnceCell<Int>()
}
