#if Exploration && ShippedLayout
  import Exploration
  import InterlockCore
  import Protectors
  import Testing

  @Suite(.serialized) struct ProtectorLineTests {
    @Test(arguments: scenarios) func costsWhatTheTableSays(scenario: Scenario) throws { try scenario.check() }

    static let scenarios: [Scenario] = [
      .threads("ExclusiveProtector: a section that changes the value") { _ in
        let value = ExclusiveProtector(CountedValue())
        return { _ in value.withLock { $0.increment() } }
      },
      .threads("ExclusiveProtector: a section that changes the value, elsewhere") { _ in
        let value = ExclusiveProtector(Box(CountedValue()))
        return { _ in value.withLock { $0.value.increment() } }
      },
      .threads("Protector: a write section that changes the value") { _ in
        let value = Protector(CountedValue())
        return { _ in value.withWriteLock { $0.increment() } }
      },
      .threads("Protector of each thread: a write section", [.movesNoLine]) { threads in
        let values = (0..<threads).map { _ in Protector(CountedValue()) }
        return { thread in values[thread].withWriteLock { $0.increment() } }
      },
      .threads("withWriteLocks: a section of two protectors") { _ in
        let (first, second) = (Protector(0), Protector(0))
        return { _ in withWriteLocks(first, second) { first, second in swap(&first, &second) } }
      },
      .threads(
        "ExclusiveProtector: a release beside threads that wait for the lock",
        [.wakesOneAtMost, .isFreeOfWaiters], orders: [.roundRobin]
      ) {
        _ in
        let value = ExclusiveProtector(CountedValue())
        return { _ in
          value.withLock { value in
            value.increment()
            letOthersWait()
            beginCount()
          }
          endCount()
        }
      },
      .callers(2, "Protector: a write that none of the waiting threads waits for", [.isFreeOfWaiters]) {
        beside in
        let value = Protector(Round())
        beside.run = { _ in value.withWriteLock(waitingUntil: { $0.isOver }) { _ in } }
        beside.end = { value.withWriteLock { $0.isOver = true } }
        return { _ in value.withWriteLock { $0.number += 1 } }
      },
      .callingTasks(2, "Protector: a write beside tasks that wait for one condition", [.isFreeOfWaiters]) {
        beside in
        let value = Protector(Round())
        let isOver = value.condition { $0.isOver }
        beside.runAsTask = { _ in try? await value.withWriteLock(waitingUntil: isOver) { _ in } }
        beside.end = { value.withWriteLock { $0.isOver = true } }
        return { _ in value.withWriteLock { $0.number += 1 } }
      },
      .callingTasks(2, "Protector: a write beside tasks that wait for a predicate each", [.isFreeOfWaiters]) {
        beside in
        let value = Protector(Round())
        beside.runAsTask = { _ in try? await value.withWriteLock(waitingUntil: { $0.isOver }) { _ in } }
        beside.end = { value.withWriteLock { $0.isOver = true } }
        return { _ in value.withWriteLock { $0.number += 1 } }
      },
      .callers(1, "Protector: a timeout beside threads that wait for a predicate", [.isFreeOfWaiters]) {
        beside in
        let value = Protector(Round())
        beside.run = { _ in value.withWriteLock(waitingUntil: { $0.isOver }) { _ in } }
        beside.end = { value.withWriteLock { $0.isOver = true } }
        return { _ in
          _ = try? value.withWriteLock(waitingUntil: { $0.number < 0 }, timeout: .seconds(1)) { _ in }
        }
      },
      .threads(
        "Protector: a write that one waiting thread waits for", [.wakesOneAtMost], orders: [.roundRobin]
      ) { threads in
        let value = Protector(Round())
        return { thread in
          value.withWriteLock(waitingUntil: { $0.number % threads == thread }) { _ in }
          letOthersWait()
          countOnly { value.withWriteLock { $0.number += 1 } }
        }
      },
      .callers(
        2, "ExclusiveProtector: a section that reads, beside threads that wait for a predicate",
        [.isFreeOfWaiters]
      ) {
        beside in
        let value = ExclusiveProtector(Round())
        beside.run = { _ in value.withLock(waitingUntil: { $0.isOver }) { _ in } }
        beside.end = { value.withLock { $0.isOver = true } }
        return { _ in _ = value.withLock { $0.number } }
      },
    ]
  }
#endif
