import AsyncLocks
import Interlock

// Each form with a timeout, each attempt and each asynchronous wait of the scenarios.

/// A lock with sections that exclude all others, whatever their name is.
protocol Excluding: RawLock, ~Copyable {
  borrowing func exclusively(_ body: () -> Void)
  borrowing func exclusively(within timeout: Duration, _ body: () -> Void) throws
}

extension UnfairLock: Excluding {
  borrowing func exclusively(_ body: () -> Void) { withLock { body() } }
  borrowing func exclusively(within timeout: Duration, _ body: () -> Void) throws {
    try withLock(timeout: timeout) { body() }
  }
}

extension CompactReadWriteLock: Excluding {
  borrowing func exclusively(_ body: () -> Void) { withWriteLock { body() } }
  borrowing func exclusively(within timeout: Duration, _ body: () -> Void) throws {
    try withWriteLock(timeout: timeout) { body() }
  }
}

extension BiasedReadWriteLock: Excluding {
  borrowing func exclusively(_ body: () -> Void) { withWriteLock { body() } }
  borrowing func exclusively(within timeout: Duration, _ body: () -> Void) throws {
    try withWriteLock(timeout: timeout) { body() }
  }
}

func tryWriting(_ lock: borrowing some Excluding & ~Copyable, for timeout: Duration) -> Bool {
  do {
    try lock.exclusively(within: timeout) {}
    return true
  } catch {
    return false
  }
}

func wait<Value: ~Copyable>(
  for protector: Protector<Value>, until predicate: @escaping @Sendable (borrowing Value) -> Bool
) async {
  try? await protector.withWriteLock(waitingUntil: predicate) { _ in }
}

func wait<Value: ~Copyable>(for protector: Protector<Value>, until condition: WaitCondition<Value>) async {
  try? await protector.withWriteLock(waitingUntil: condition) { _ in }
}

func lockUnlessCancelled(_ mutex: AsyncMutex<Int>) async {
  try? await mutex.withLockUnlessCancelled { _ in }
}

func lock(_ mutex: AsyncMutex<Int>, for timeout: Duration) async {
  try? await mutex.withLock(timeout: timeout) { _ in }
}

func takePermitUnlessCancelled(_ semaphore: AsyncSemaphore) async {
  try? await semaphore.withPermitUnlessCancelled {}
}
