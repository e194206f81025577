import AsyncLocks
import Interlock

// Each form with a timeout, each attempt and each asynchronous wait of the scenarios.

func tryWriting(_ lock: borrowing some RawLock & ~Copyable, for timeout: Duration) -> Bool {
  (try? lock.withLock(timeout: timeout) { true }) ?? false
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
