// A thread that gives up, one that waits until a deadline, and one that waits to the end.
final class Shared: Sendable {
  let mutex = SystemMutex()
  nonisolated(unsafe) var count = 0
}
let shared = Shared()
shared.mutex.withLock {
  _ = withThreads(1) { _ in
    precondition(shared.mutex.withLockIfAvailable { 1 } == nil)
    do {
      try shared.mutex.withLock(timeout: .milliseconds(1)) { preconditionFailure("two are in sections") }
    } catch {
      precondition((error as? TimeoutError)?.isThrown(by: shared.mutex) == true)
    }
  }
}
_ = withThreads(2) { index in
  for _ in 0..<1000 {
    if index == 0 {
      shared.mutex.withLock { shared.count += 1 }
    } else {
      do {
        try shared.mutex.withLock(timeout: .seconds(60)) { shared.count += 1 }
      } catch {
        preconditionFailure("\(error)")
      }
    }
  }
}
precondition(shared.mutex.withLock { shared.count } == 2000)
