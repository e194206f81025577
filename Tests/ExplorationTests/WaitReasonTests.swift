#if Exploration
  import AsyncLocks
  @testable import Exploration
  import Jobs
  import LazyInitialization
  import Protectors
  import Testing

  /// Tests which reason and which line of the program the report of a deadlock gives for a wait.
  @Suite(.serialized) struct WaitReasonTests {
    /// An event by hand: continuations behind a protector, which nobody resumes.
    private final class Event: Sendable {
      private let waiting = ExclusiveProtector([CheckedContinuation<Void, Never>](), label: "waiting")

      func wait() async {
        await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
      }
    }

    private static let never = Event()

    private enum Wait: CaseIterable {
      case protector, mutex, mutexInVain, queue, item, flight, mailbox, jobs, predicate, predicateOfSeveral

      /// The clause of the waiting task's report, after "T1 ".
      var reason: String {
        switch self {
        case .protector, .mutex, .mutexInVain, .queue, .item: "is suspended and nobody will resume it"
        case .flight: "waits in SingleFlight.value(for:isolation:_:)"
        case .mailbox: "waits for a predicate of ExclusiveProtector (made at WaitReasonTests.swift:"
        case .jobs: "waits in withJobs("
        case .predicate: "waits for a predicate of Protector \"left\""
        case .predicateOfSeveral: "waits for a predicate of Protector \"left\" and Protector \"right\""
        }
      }

      @Sendable func body() async {
        let mutex = AsyncMutex(0)
        let queue = AsyncQueue()
        let (left, right) = (Protector(0, label: "left"), Protector(0, label: "right"))
        switch self {
        case .protector: await Event().wait()
        case .mutex:
          await mutex.withLock { _ in }
          await WaitReasonTests.never.wait()
        case .mutexInVain:
          await mutex.withLock { _ in
            let task = Task {
              try? await mutex.withLockUnlessCancelled { _ in }
            }
            task.cancel()
            await task.value
          }
          await WaitReasonTests.never.wait()
        case .queue:
          _ = queue.add {}
          await WaitReasonTests.never.wait()
        case .item: try? await queue.add { await WaitReasonTests.never.wait() }?.value
        case .flight:
          let flight = SingleFlight<Int, Int>()
          _ = try? await flight.value(for: 1) {
            await WaitReasonTests.never.wait()
            return 1
          }
        case .mailbox: _ = try? await Mailbox<Int>(capacity: 1).receive()
        case .jobs:
          await withJobs { jobs in jobs.add { left.withWriteLock(waitingUntil: { $0 > 0 }) { _ in } } }
        case .predicate:
          left.withWriteLock { $0 = 0 }
          _ = try? await left.withWriteLock(waitingUntil: { $0 > 0 }) { _ in }
        case .predicateOfSeveral:
          _ = try? await withWriteLocks(left, right, waitingUntil: { $0 + $1 > 0 }) { _, _ in }
        }
      }
    }

    @Test(arguments: Wait.allCases)
    private func aTasksWaitHasItsReasonAndALineOfTheProgram(wait: Wait) throws {
      let failure = try failure(.exhaustive(preemptions: 0), limits: ExplorationLimits()) { run in
        run.task(wait.body).join()
      }
      let text = failure.description
      #expect(failure.reason.hasPrefix("Deadlock: T0 waits for the end of T1; T1 \(wait.reason)"), "\(text)")
      let clause = wait.reason.hasPrefix("is suspended") ? "is suspended" : wait.reason
      #expect(
        failure.calls.contains { line in
          line.contains(" T1  WaitReasonTests.swift:") && line.contains("  \(clause)")
        }, "\(text)")
    }

    @Test func aThreadsWaitForSeveralValuesIsNamed() throws {
      let failure = try failure(.exhaustive(preemptions: 0), limits: ExplorationLimits()) { run in
        let (left, right) = (Protector(0, label: "left"), Protector(0, label: "right"))
        withWriteLocks(left, right, waitingUntil: { $0 + $1 > 0 }) { _, _ in }
      }
      let reason = "T0 waits for a predicate of Protector \"left\" and Protector \"right\""
      #expect(failure.reason == "Deadlock: \(reason).")
      #expect(failure.calls.last?.contains("T0  WaitReasonTests.swift:") == true)
    }
  }
#endif
