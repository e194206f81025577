internal import Dispatch
internal import Synchronization

/// Counts the objects that are made and destroyed, to detect objects destroyed twice, late, or never.
package final class Lifetimes: Sendable {
  private let madeCount = Atomic(0)
  private let destroyedCount = Atomic(0)

  package init() {}

  /// The number of objects made so far.
  package var made: Int { madeCount.load(ordering: .sequentiallyConsistent) }

  /// The number of objects destroyed so far.
  package var destroyed: Int { destroyedCount.load(ordering: .sequentiallyConsistent) }

  /// The number of live objects.
  package var alive: Int { made - destroyed }

  fileprivate func begin() { madeCount.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  fileprivate func end() { destroyedCount.wrappingAdd(1, ordering: .sequentiallyConsistent) }
}

/// An object that records in `Lifetimes` when it is made and when it is destroyed.
package final class Tracked: Sendable {
  private let lifetimes: Lifetimes

  /// Identifies this object in a test.
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

/// A noncopyable value that records in `Lifetimes` when it is made and when it is destroyed.
package struct TrackedToken: ~Copyable, Sendable {
  private let lifetimes: Lifetimes

  /// Identifies this value in a test.
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

/// An object that only the main actor may use, also in its `deinit`.
package final class MainActorOnly {
  private static let strayCount = Atomic(0)
  private static let key = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// The number of objects that were destroyed elsewhere.
  package static var strays: Int { strayCount.load(ordering: .sequentiallyConsistent) }

  package init() {}

  deinit {
    if DispatchQueue.getSpecific(key: Self.key) != true {
      Self.strayCount.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }
  }
}
