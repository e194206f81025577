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
    @Test("A wait for a predicate inside the mutex of its writers", arguments: [false, true])
    func aWaitForAPredicateInsideTheMutexOfItsWriters(blocksThread: Bool) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [blocksThread = blocksThread as Bool] in
        let session = AsyncMutex(0, label: "session")
        let items = Protector<[Int]>([])
        await session.withLock { _ in items.withWriteLock { $0 += [1, 2] } }
        await session.withLock { _ in
          if blocksThread {
            block(on: items)
          } else {
            _ = try? await items.withWriteLock(waitingUntil: { !$0.isEmpty }) { $0.removeFirst() }
          }
        }
      }
      expectReport(
        result?.standardErrorContent, "deadlock possible: 2 tasks can wait for one another",
        ["AsyncMutex \"session\"", "predicate of a protector"])
    }

    @Test func aCycleOfWaitingTasksIsReportedWhenItsLastTaskWaits() async {
      let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
        exitWithReport(of: .happened)
        let mutexes = (0..<3).map { _ in AsyncMutex(0, label: "fork") }
        let arrived = AsyncStream.makeStream(of: Void.self)
        let isOpen = Protector(false)
        await withTaskGroup { group in
          for index in 0..<3 {
            group.addTask {
              await mutexes[index].withLock { _ in
                arrived.continuation.yield()
                _ = try? await isOpen.withReadLock(waitingUntil: { $0 }) { $0 }
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
        ["waits for AsyncMutex \"fork\"", "and holds AsyncMutex \"fork\"", "in TaskTests.aCycleOfWaiting"])
    }

    @Test func aChildThatLocksWhatItsParentHoldsWaitsForLong() async {
      let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
        DeadlockDetector.waitLimit = .milliseconds(50)
        exitWithReport(of: .longWait)
        let session = AsyncMutex(0, label: "session")
        await session.withLock { _ in
          async let child: Void = session.withLock { $0 += 1 }
          await child
        }
      }
      expectReport(
        result?.standardErrorContent, "a long wait: task 0x",
        [
          "in TaskTests.aChildThatLocks",
          "holds AsyncMutex \"session\"",
          "waits for AsyncMutex \"session\"",
        ])
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
  }

  private func block(on items: Protector<[Int]>) {
    items.withWriteLock(waitingUntil: { !$0.isEmpty }) { _ = $0.removeFirst() }
  }
#endif
