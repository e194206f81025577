import TestSupport
import Testing
import UnfairLocks

@Suite struct UnfairLockTests {
  private enum Failure: Error, Equatable {
    case expected(Int)
  }

  // With the package trait `DeadlockDetection`, a lock also contains a `Probe`.
  #if os(Linux) && !DeadlockDetection
    @Test func takesFourBytes() {
      #expect(MemoryLayout<UnfairLock>.size == 4)
      #expect(MemoryLayout<UnfairLock>.stride == 4)
    }
  #endif

  @Test func returnsWhatTheBodyReturns() {
    let lock = UnfairLock()
    #expect(lock.withLock { 42 } == 42)
    #expect(lock.withLockIfAvailable { 42 } == 42)
    #expect(lock.withLock(timeout: .zero) { 42 } == 42)
    #expect(lock.withLock(timeout: .seconds(1)) { 42 } == 42)
  }

  @Test func noncopyableResultsAreReturned() {
    let lifetimes = Lifetimes()
    let lock = UnfairLock()
    do {
      let first = lock.withLock { TrackedToken(lifetimes, number: 1) }
      guard let second = lock.withLockIfAvailable({ TrackedToken(lifetimes, number: 2) }),
        let third = lock.withLock(timeout: .zero, { TrackedToken(lifetimes, number: 3) })
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

  @Test func anErrorOfTheBodyReleasesTheLock() {
    let lock = UnfairLock()
    // These functions compile only if the lock's functions preserve the type of the error.
    func take() throws(Failure) {
      try lock.withLock { () throws(Failure) in throw .expected(1) }
    }
    func takeIfAvailable() throws(Failure) {
      _ = try lock.withLockIfAvailable { () throws(Failure) in throw .expected(2) }
    }
    func takeInTime() throws(Failure) {
      _ = try lock.withLock(timeout: .zero) { () throws(Failure) in throw .expected(3) }
    }
    #expect(throws: Failure.expected(1)) { try take() }
    lock.precondition(.notOwner)
    #expect(throws: Failure.expected(2)) { try takeIfAvailable() }
    lock.precondition(.notOwner)
    #expect(throws: Failure.expected(3)) { try takeInTime() }
    let isFree = onAnotherThread { lock.withLockIfAvailable { true } }
    #expect(isFree == true)
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

  @Test func sectionsExcludeOneAnother() {
    let lock = UnfairLock()
    let count = Unguarded(0)
    let rounds = StressSize.pick(quick: 5_000, full: 100_000)
    race(threads: 4) { _ in
      for _ in 0..<rounds {
        lock.withLock { count.value += 1 }
      }
    }
    #expect(count.value == 4 * rounds)
  }

  // MARK: If available

  @Test func isNotAvailableWhileAnotherThreadHoldsIt() {
    let lock = UnfairLock()
    let results = lock.withLock {
      onAnotherThread { (0..<100).map { _ in lock.withLockIfAvailable { true } } }
    }
    #expect(results.allSatisfy { $0 == nil })
    #expect(lock.withLockIfAvailable { true } == true)
  }

  @Test func isNotAvailableToItsOwner() {
    let lock = UnfairLock()
    #expect(lock.withLock { lock.withLockIfAvailable { true } } == nil)
  }

  @Test func isAlwaysAvailableWhenFree() {
    let lock = UnfairLock()
    let failures = (0..<100_000).count { _ in lock.withLockIfAvailable { true } == nil }
    #expect(failures == 0)
  }

  @Test func isAvailableAgainAfterContention() {
    // After threads have slept on the lock and released it, the lock must be available again.
    let lock = UnfairLock()
    for _ in 0..<200 {
      race(threads: 4) { _ in
        for _ in 0..<20 {
          lock.withLock { PlatformThread.yield() }
        }
      }
      #expect(lock.withLockIfAvailable { true } == true)
    }
  }
}
