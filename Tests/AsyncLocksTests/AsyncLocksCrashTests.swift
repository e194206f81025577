import AsyncLocks
import TestSupport
import Testing

/// Tests every misuse that traps; each test runs in a process of its own.
@Suite struct AsyncLocksCrashTests {
  private static let recursion =
    "AsyncMutex: locked by the task that already holds it; "
    + "take it once, and call what needs it from outside the section"

  @Test func lockingTwiceTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let mutex = AsyncMutex(0)
      await mutex.withLock { _ in
        await Task.yield()
        await mutex.withLock { $0 += 1 }
      }
    }
    #expect(result?.standardErrorContent.trap == Self.recursion)
  }

  @Test func lockingTwiceWithATimeoutTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let mutex = AsyncMutex(0)
      await mutex.withLock { _ in _ = await mutex.withLock(timeout: .seconds(1000)) { $0 += 1 } }
    }
    #expect(result?.standardErrorContent.trap == Self.recursion)
  }

  /// A task that was handed the lock locks it again while other tasks wait.
  ///
  /// The trap must occur although the lock's word has the flag `waiters`.
  @Test func lockingTwiceWhileOthersWaitTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let mutex = AsyncMutex(0)
      await withTaskGroup { group in
        for _ in 0..<50 {
          group.addTask {
            await mutex.withLock {
              await Task.yield()
              $0 += 1
              if $0 == 30 { _ = await mutex.withLockUnlessCancelled { $0 += 1 } }
            }
          }
        }
      }
    }
    #expect(result?.standardErrorContent.trap == Self.recursion)
  }

  @Test func aNegativeTimeoutOfAMutexTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = await AsyncMutex(0).withLock(timeout: .seconds(-1)) { $0 += 1 }
    }
    #expect(
      result?.standardErrorContent.trap
        == "AsyncMutex: a timeout of -1.0 seconds is negative; pass .zero to try once without waiting")
  }

  @Test func aNegativeTimeoutOfASemaphoreTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = await AsyncSemaphore(permits: 1).withPermit(timeout: .seconds(-1)) {}
    }
    #expect(
      result?.standardErrorContent.trap
        == "AsyncSemaphore: a timeout of -1.0 seconds is negative; pass .zero to try once without waiting")
  }

  @Test(arguments: [-1, 0, 3]) func askingForFewerOrMorePermitsThanThereAreTraps(count: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [count = count as Int] in
      await AsyncSemaphore(permits: 2).withPermit(count: count) {}
    }
    #expect(
      result?.standardErrorContent.trap
        == "AsyncSemaphore: asked for \(count) of 2 permits; ask for at least 1, and for no more than there are"
    )
  }

  @Test func aSemaphoreWithoutPermitsTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = AsyncSemaphore(permits: 0)
    }
    #expect(
      result?.standardErrorContent.trap
        == "AsyncSemaphore: made with 0 permits, so no task could go on; pass at least 1")
  }
}
