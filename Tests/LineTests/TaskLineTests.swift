#if Exploration && ShippedLayout
  import AsyncLocks
  import Exploration
  import InterlockCore
  import Jobs
  import Testing

  @Suite(.serialized) struct TaskLineTests {
    @Test(arguments: scenarios) func costsWhatTheTableSays(scenario: Scenario) throws { try scenario.check() }

    static let scenarios: [Scenario] = [
      .tasks("AsyncMutex: a section") { _ in
        let value = AsyncMutex(Round())
        return { _ in await value.withLock { $0.number += 1 } }
      },
      .tasks("AsyncMutex: a release beside waiting tasks", [.isFreeOfWaiters], orders: [.roundRobin]) { _ in
        let value = AsyncMutex(Round())
        return { _ in
          await value.withLock { value in
            value.number += 1
            for _ in 0..<4 { await Task.yield() }
            beginCount()
          }
          endCount()
        }
      },
      .callingTasks(1, "AsyncMutex: a timeout beside waiting tasks", [.isFreeOfWaiters]) { beside in
        let value = AsyncMutex(Round())
        let isOver = Box(AtomicWord())
        beside.runAsTask = { number in
          await value.withLock { _ in
            if number == 0 { while isOver.value.load(.relaxed) == 0 { await Task.yield() } }
          }
        }
        beside.end = { isOver.value.store(1, .relaxed) }
        return { _ in _ = try? await value.withLock(timeout: .seconds(1)) { _ in } }
      },
      .tasks("AsyncSemaphore: a free permit") { tasks in
        let semaphore = AsyncSemaphore(permits: tasks)
        return { _ in await semaphore.withPermit {} }
      },
      .tasks("Mailbox: an element is sent, with room") { _ in
        let mailbox = Mailbox<Int>(capacity: 1 << 20)
        return { _ in _ = mailbox.sendIfRoom(1) }
      },
      .tasks("Mailbox: an element is sent and received, by tasks in turn", orders: [.roundRobin]) { _ in
        let mailbox = Mailbox<Int>(capacity: 1 << 20)
        return { task in
          if task.isMultiple(of: 2) { _ = mailbox.sendIfRoom(1) } else { _ = try? await mailbox.receive() }
        }
      },
      .callingTasks(
        2, "Mailbox: an element is sent, and none of the waiting tasks is for it", [.isFreeOfWaiters]
      ) { beside in
        let mailbox = Mailbox<Int>(capacity: 1)
        _ = mailbox.sendIfRoom(1)
        beside.runAsTask = { _ in _ = try? await mailbox.send(1) }
        beside.end = { mailbox.finish() }
        return { _ in _ = mailbox.sendIfRoom(1) }
      },
    ]
  }
#endif
