import Counters
import Interlock

private func holds(_ isTrue: Bool) -> Bool {
  costs_evaluate()
  return isTrue
}

func waitScenarios() {
  scenario("Protector: 100 writes while nobody waits") { costs in
    let value = Protector(0)
    costs.of { for _ in 0..<100 { value.withWriteLock { $0 += 1 } } }
  }
  scenario("Protector: 100 waits whose predicate holds") { costs in
    let value = Protector(0)
    costs.of {
      for _ in 0..<100 { value.withWriteLock(waitingUntil: { _ in holds(true) }) { $0 += 1 } }
    }
  }
  scenario("withWriteLocks: 100 sections of two protectors") { costs in
    let (first, second) = (Protector(0), Protector(0))
    costs.of {
      for _ in 0..<100 {
        withWriteLocks(first, second) {
          $0 += 1
          $1 += 1
        }
      }
    }
  }

  for count in [1, 10, 100] {
    // Each thread waits for a number of its own, and none for the first.
    func waiting(_ value: Protector<Int>) -> Crew {
      Crew(count) { index in value.withWriteLock(waitingUntil: { holds($0 > index + 1) }) { _ in } }
    }
    scenario("Protector: \(count) threads begin to wait for predicates") { costs in
      let value = Protector(0)
      let crew = waiting(value)
      costs.of(passes: count) { crew.go() }
      value.withWriteLock { $0 = .max }
      crew.join()
    }
    scenario("Protector: a write that none of \(count) threads waits for") { costs in
      let value = Protector(0)
      let crew = waiting(value)
      crew.go()
      costs.of(passes: count) { value.withWriteLock { $0 = 1 } }
      value.withWriteLock { $0 = .max }
      crew.join()
    }
    scenario("Protector: a write that one of \(count) threads waits for") { costs in
      let value = Protector(0)
      let crew = waiting(value)
      crew.go()
      costs.of(passes: count) {
        value.withWriteLock { $0 = 2 }
        costs_join_thread(0)
      }
      value.withWriteLock { $0 = .max }
      for index in 1..<max(count, 1) { costs_join_thread(Int32(index)) }
    }
    scenario("Protector: a read while \(count) threads wait for predicates") { costs in
      let value = Protector(0)
      let crew = waiting(value)
      crew.go()
      costs.of(passes: count) { value.withReadLock { _ in } }
      value.withWriteLock { $0 = .max }
      crew.join()
    }
  }

  for count in [1, 100, 10_000] {
    func waiting(_ value: Protector<Int>) -> [Task<Void, Never>] {
      tasks(count) { index in await wait(for: value) { holds($0 > index + 1) } }
    }
    func end(_ value: Protector<Int>) {
      value.withWriteLock { $0 = .max }
      costs_run_jobs()
    }
    scenario("Protector: a write that none of \(count) tasks waits for") { costs in
      let value = Protector(0)
      _ = waiting(value)
      costs.of(passes: count) { value.withWriteLock { $0 = 1 } }
      end(value)
    }
    scenario("Protector: a write that all of \(count) tasks wait for") { costs in
      let value = Protector(0)
      _ = waiting(value)
      costs.of(passes: count) { end(value) }
    }
    scenario("Protector: a write, and a condition that \(count) tasks wait for") { costs in
      let value = Protector(0)
      let condition = value.condition { holds($0 > 1) }
      tasks(count) { _ in await wait(for: value, until: condition) }
      costs.of(passes: count) { value.withWriteLock { $0 = 1 } }
      end(value)
    }
    for steps in [false, true] {
      scenario("Protector: one more task waits beside \(count)", steps: steps) { costs in
        let value = Protector(0)
        _ = waiting(value)
        costs.of(passes: count) { tasks(1) { _ in await wait(for: value) { $0 > 1 } } }
        end(value)
      }
      scenario("Protector: one of \(count) tasks is cancelled", steps: steps) { costs in
        let value = Protector(0)
        let all = waiting(value)
        costs.of(passes: count) {
          all[count / 2].cancel()
          costs_run_jobs()
        }
        end(value)
      }
    }
    scenario("Protector: a read while \(count) tasks wait for predicates", steps: true) { costs in
      let value = Protector(0)
      _ = waiting(value)
      costs.of(passes: count) { value.withReadLock { _ in } }
      end(value)
    }
  }
}
