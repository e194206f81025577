#if DeadlockDetection
  import AsyncLocks
  import DeadlockDetection
  import InterlockCore
  import Foundation
  import Protectors
  import TestSupport
  import Testing
  import UnfairLocks

  /// Tests the detector with tasks that hold an `AsyncMutex` or a permit of an `AsyncSemaphore`.
  @Suite(.serialized) struct TaskTests {
    @Test func twoMutexesInverted() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let accounts = AsyncMutex(0, label: "accounts")
        let log = AsyncMutex(0, label: "log")
        await accounts.withLock { _ in
          await Task.yield()
          await log.withLock { _ in }
        }
        await log.withLock { _ in await accounts.withLock { _ in } }
      }
      expectReport(
        result?.standardErrorContent, "deadlock possible: 2 tasks can wait for one another",
        "AsyncMutex \"accounts\"", "AsyncMutex \"log\"", "TaskTests.swift:")
    }

    @Test func aMutexAndAPermitInverted() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let session = AsyncMutex(0, label: "session")
        let downloads = AsyncSemaphore(permits: 4, label: "downloads")
        await downloads.withPermit { _ = await session.withLockUnlessCancelled { _ in } }
        await session.withLock { _ in _ = await downloads.withPermitUnlessCancelled {} }
      }
      expectReport(
        result?.standardErrorContent, "deadlock possible: 2 tasks can wait for one another",
        "AsyncMutex \"session\"", "AsyncSemaphore \"downloads\"")
    }

    @Test("A wait for a predicate inside the mutex of its writers", arguments: [false, true])
    func aWaitForAPredicateInsideTheMutexOfItsWriters(blocksThread: Bool) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [blocksThread = blocksThread as Bool] in
        Trap.orDie()
        let session = AsyncMutex(0, label: "session")
        let items = Protector<[Int]>([])
        await session.withLock { _ in items.withWriteLock { $0 += [1, 2] } }
        await session.withLock { _ in
          if blocksThread {
            block(on: items)
          } else {
            _ = await items.withWriteLock(waitingUntil: { !$0.isEmpty }) { $0.removeFirst() }
          }
        }
      }
      expectReport(
        result?.standardErrorContent, "deadlock possible: 2 tasks can wait for one another",
        "AsyncMutex \"session\"", "predicate of a protector")
    }

    @Test func aCycleOfWaitingTasksIsReportedWhenItsLastTaskWaits() async {
      let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
        Trap.orDie()
        exitWithReport(of: .happened)
        let mutexes = (0..<3).map { _ in AsyncMutex(0, label: "fork") }
        let arrived = AsyncStream.makeStream(of: Void.self)
        let isOpen = Protector(false)
        await withTaskGroup { group in
          for index in 0..<3 {
            group.addTask {
              await mutexes[index].withLock { _ in
                arrived.continuation.yield()
                _ = await isOpen.withReadLock(waitingUntil: { $0 }) { $0 }
                await mutexes[(index + 1) % 3].withLock { _ in }
              }
            }
          }
          var arrivals = arrived.stream.makeAsyncIterator()
          for _ in 0..<3 { await arrivals.next() }
          isOpen.withWriteLock { $0 = true }
        }
      }
      expectReport(
        result?.standardErrorContent, "deadlock: 3 tasks wait for one another",
        "waits for AsyncMutex \"fork\"", "and holds AsyncMutex \"fork\"")
    }

    @Test func aChildThatLocksWhatItsParentHoldsWaitsForLong() async {
      let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
        Trap.orDie()
        DeadlockDetector.waitLimit = .milliseconds(50)
        exitWithReport(of: .longWait)
        let session = AsyncMutex(0, label: "session")
        await session.withLock { _ in
          async let child: Void = session.withLock { $0 += 1 }
          await child
        }
      }
      expectReport(
        result?.standardErrorContent, "a long wait: task 0x", "holds AsyncMutex \"session\"",
        "waits for AsyncMutex \"session\"")
    }

    @Test func aLockUnderAMutexIsAPair() async {
      await #expect(processExitsWith: .success) {
        let session = AsyncMutex(0)
        let lock = UnfairLock()
        await session.withLock { _ in
          await Task.yield()
          lock.withLock {}
        }
        lock.withLock {}
        precondition(Detector.shared.remembered.pairs == 1, "\(Detector.shared.remembered)")
      }
    }

    @Test func oneOrderOfMutexesAndPermits() async {
      await #expect(processExitsWith: .success) {
        DeadlockDetector.action = .trap
        let downloads = AsyncSemaphore(permits: 2)
        let mutexes = (0..<2).map { _ in AsyncMutex(0) }
        await withTaskGroup { group in
          for _ in 0..<8 {
            group.addTask {
              for _ in 0..<50 {
                await downloads.withPermit {
                  await mutexes[0].withLock { first in
                    first += 1
                    await Task.yield()
                    await mutexes[1].withLock { $0 += 1 }
                  }
                }
              }
            }
          }
        }
      }
    }

    @Test func triesAndTimeoutsInTheOtherOrder() async {
      await #expect(processExitsWith: .success) {
        DeadlockDetector.action = .trap
        let (first, second) = (AsyncMutex(0), AsyncMutex(0))
        await first.withLock { _ in await second.withLock { _ in } }
        await second.withLock { _ in
          _ = await first.withLockIfAvailable { _ in }
          _ = await first.withLock(timeout: .milliseconds(1)) { _ in }
        }
      }
    }

    /// The detector must report nothing: with a timeout of zero, the predicate is checked once and the task
    /// never waits, so it can't take part in a deadlock.
    @Test func aPredicateCheckedOnceInsideTheMutexOfItsWriters() async {
      await #expect(processExitsWith: .success) {
        DeadlockDetector.action = .trap
        let session = AsyncMutex(0)
        let items = Protector<[Int]>([])
        await session.withLock { _ in items.withWriteLock { $0 += [1, 2] } }
        await session.withLock { _ in
          _ = await items.withWriteLock(waitingUntil: { !$0.isEmpty }, timeout: .zero) { $0.removeFirst() }
          _ = await items.withReadLock(waitingUntil: { !$0.isEmpty }, timeout: .zero) { $0.count }
        }
      }
    }

    @Test func mutexesInBothOrdersUnderAGateLock() async {
      await #expect(processExitsWith: .success) {
        DeadlockDetector.action = .trap
        let (first, second) = (AsyncMutex(0), AsyncMutex(0))
        let gate = AsyncSemaphore(permits: 1)
        await gate.withPermit { await first.withLock { _ in await second.withLock { _ in } } }
        await gate.withPermit { await second.withLock { _ in await first.withLock { _ in } } }
      }
    }

    @Test func locksOfThreadsInBothOrdersUnderAMutex() async {
      await #expect(processExitsWith: .success) {
        DeadlockDetector.action = .trap
        let gate = AsyncMutex(0)
        let (first, second) = (ExclusiveProtector(0), ExclusiveProtector(0))
        await gate.withLock { _ in first.withLock { _ in second.withLock { _ in } } }
        await gate.withLock { _ in second.withLock { _ in first.withLock { _ in } } }
      }
    }

    @Test func nestedReadsUnderAMutex() async {
      await #expect(processExitsWith: .success) {
        DeadlockDetector.action = .trap
        let mutex = AsyncMutex(0)
        let protector = Protector(1)
        protector.withWriteLock { $0 = 2 }
        await mutex.withLock { _ in
          protector.withReadLock { _ in protector.withReadLock { _ in } }
        }
      }
    }

    @Test func nestedPermitsAndOtherTasks() async {
      await #expect(processExitsWith: .success) {
        DeadlockDetector.action = .trap
        let downloads = AsyncSemaphore(permits: 3)
        let session = AsyncMutex(0)
        await downloads.withPermit { await downloads.withPermit { await session.withLock { _ in } } }
        // A task that is started inside a critical section does not inherit the held mutex, so its permit
        // adds no edge.
        let task = await session.withLock { _ in Task { await downloads.withPermit {} } }
        await task.value
      }
    }
  }

  private func block(on items: Protector<[Int]>) {
    items.withWriteLock(waitingUntil: { !$0.isEmpty }) { _ = $0.removeFirst() }
  }
#endif
