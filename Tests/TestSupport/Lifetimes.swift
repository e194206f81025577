internal import Synchronization

/// Counts the objects that were made and destroyed, to find one that is destroyed twice, late, or never.
package final class Lifetimes: Sendable {
  private let madeCount = Atomic(0)
  private let destroyedCount = Atomic(0)

  package init() {}

  /// How many were made so far.
  package var made: Int { madeCount.load(ordering: .sequentiallyConsistent) }

  /// How many were destroyed so far.
  package var destroyed: Int { destroyedCount.load(ordering: .sequentiallyConsistent) }

  /// How many are alive.
  package var alive: Int { made - destroyed }

  fileprivate func begin() { madeCount.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  fileprivate func end() { destroyedCount.wrappingAdd(1, ordering: .sequentiallyConsistent) }
}

/// An object that tells its `Lifetimes` when it comes and when it goes.
package final class Tracked: Sendable {
  private let lifetimes: Lifetimes

  /// What tells this object from others.
  package let number: Int

  package init(_ lifetimes: Lifetimes, number: Int = 0) {
    self.lifetimes = lifetimes
    self.number = number
    lifetimes.begin()
  }

  deinit {
    lifetimes.end()
  }
}

/// A noncopyable value that tells its `Lifetimes` when it comes and when it goes.
package struct TrackedToken: ~Copyable, Sendable {
  private let lifetimes: Lifetimes

  /// What tells this value from others.
  package let number: Int

  package init(_ lifetimes: Lifetimes, number: Int = 0) {
    self.lifetimes = lifetimes
    self.number = number
    lifetimes.begin()
  }

  deinit {
    lifetimes.end()
  }
}
