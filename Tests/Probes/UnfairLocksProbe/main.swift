import UnfairLocks

// A client of the product UnfairLocks alone: it shows that the product compiles and loads by itself.

final class Counter: Sendable {
  private let lock = UnfairLock()
  private nonisolated(unsafe) var count = 0

  func increment() -> Int {
    lock.withLock {
      lock.precondition(.owner)
      count += 1
      return count
    }
  }

  func tryIncrement() -> Int? {
    lock.withLockIfAvailable {
      count += 1
      return count
    }
  }

  func increment(within timeout: Duration) -> Int? {
    lock.withLock(timeout: timeout) {
      count += 1
      return count
    }
  }
}

let counter = Counter()
precondition(counter.increment() == 1)
precondition(counter.tryIncrement() == 2)
precondition(counter.increment(within: .milliseconds(1)) == 3)
print("UnfairLocks: a lock of \(MemoryLayout<UnfairLock>.size) bytes")
