import AsyncLocks
import TestSupport
import Testing

/// Tests every misuse that traps; each is committed in a process of its own.
@Suite struct AsyncLocksCrashTests {
  private static let recursion =
    "AsyncMutex: locked by the task that already holds it; "
    + "take it once, and call what needs it from outside the section"
  private static let tryingOnce = "pass .zero to try once without waiting"

  private static let misuses =
    [
      Misuse(recursion) {
        let mutex = AsyncMutex(0)
        await mutex.withLock { _ in
          await Task.yield()
          await mutex.withLock { $0 += 1 }
        }
      },
      Misuse(recursion) {
        let mutex = AsyncMutex(0)
        await mutex.withLock { _ in try? await mutex.withLock(timeout: .seconds(1000)) { $0 += 1 } }
      },
      // A task that was handed the lock locks it again while other tasks wait. The trap must occur although the
      // lock's word has the flag `waiters`.
      Misuse(recursion) {
        let mutex = AsyncMutex(0)
        await withTaskGroup { group in
          for _ in 0..<50 {
            group.addTask {
              await mutex.withLock {
                await Task.yield()
                $0 += 1
                if $0 == 30 { try? await mutex.withLockUnlessCancelled { $0 += 1 } }
              }
            }
          }
        }
      },
      Misuse("AsyncMutex: a timeout of -1.0 seconds is negative", tryingOnce) {
        try? await AsyncMutex(0).withLock(timeout: .seconds(-1)) { $0 += 1 }
      },
      Misuse("AsyncSemaphore: a timeout of -1.0 seconds is negative", tryingOnce) {
        try? await AsyncSemaphore(permits: 1).withPermit(timeout: .seconds(-1)) {}
      },
      Misuse("AsyncSemaphore: made with 0 permits, so no task could go on", "pass at least 1") {
        _ = AsyncSemaphore(permits: 0)
      },
    ]
    + [-1, 0, 3].map { count in
      Misuse(
        "AsyncSemaphore: asked for \(count) of 2 permits",
        "ask for at least 1, and for no more than there are"
      ) {
        await AsyncSemaphore(permits: 2).withPermit(count: count) {}
      }
    }

  @Test(arguments: misuses.indices) func misuseTraps(index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      try await Self.misuses[index].commit()
    }
    #expect(result?.standardErrorContent.trap == Self.misuses[index].message)
  }
}
