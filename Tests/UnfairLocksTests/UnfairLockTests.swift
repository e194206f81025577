import TestSupport
import Testing
import UnfairLocks

/// Tests the promises of `UnfairLock` beyond those in `ReadWriteLockContract`, which runs with this lock, too.
@Suite struct UnfairLockTests {
  // With the package trait `DeadlockDetection`, a lock also contains a `Probe`.
  #if os(Linux) && !DeadlockDetection
    @Test func takesFourBytes() {
      #expect(MemoryLayout<UnfairLock>.size == 4)
      #expect(MemoryLayout<UnfairLock>.stride == 4)
    }
  #endif

  @Test func noncopyableResultsAreReturned() {
    let lifetimes = Lifetimes()
    let lock = UnfairLock()
    do {
      let first = lock.withLock { TrackedToken(lifetimes, number: 1) }
      guard let second = lock.withLockIfAvailable({ TrackedToken(lifetimes, number: 2) }),
        let third = unlessTimedOut({
          try lock.withLock(timeout: .zero) { TrackedToken(lifetimes, number: 3) }
        })
      else {
        Issue.record("a free lock was not available")
        return
      }
      let numbers = [first.number, second.number, third.number]
      #expect(numbers == [1, 2, 3])
      #expect(lifetimes.alive == 3)
    }
    #expect(lifetimes.alive == 0)
    #expect(lifetimes.made == 3)
  }

  /// A `Sendable` class can guard its own fields that are not `Sendable` with the lock.
  @Test func fieldsThatAreNotSendableCanBeGuarded() {
    final class Handlers: Sendable {
      private let lock = UnfairLock()
      private nonisolated(unsafe) var handlers: [String: () -> Int] = [:]

      func set(_ name: String, _ handler: @escaping () -> Int) {
        lock.withLock { handlers[name] = handler }
      }

      func handler(for name: String) -> (() -> Int)? {
        lock.withLock { handlers[name] }
      }
    }
    let handlers = Handlers()
    handlers.set("a") { 1 }
    let result = handlers.handler(for: "a")?()
    #expect(result == 1)
  }

  @Test func sectionsOfDifferentLocksNest() {
    let outer = UnfairLock()
    let inner = UnfairLock()
    let result = outer.withLock {
      inner.withLock {
        outer.precondition(.owner)
        inner.precondition(.owner)
        return 1
      }
    }
    #expect(result == 1)
  }

  // MARK: If available

  @Test func isNotAvailableToItsOwner() {
    let lock = UnfairLock()
    #expect(lock.withLock { lock.withLockIfAvailable { true } } == nil)
  }

  @Test func aTimeoutOfZeroTriesOnceAlsoAsTheOwner() {
    let lock = UnfairLock()
    #expect(lock.withLock { unlessTimedOut { try lock.withLock(timeout: .zero) { true } } } == nil)
  }
}
