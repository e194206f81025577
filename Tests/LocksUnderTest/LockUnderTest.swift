package import ReadWriteLocks
internal import UnfairLocks

/// An implementation of `ReadWriteLock` for the contract suite and the stress tests.
package struct LockUnderTest: Sendable, CustomStringConvertible {
  /// The limitations of an implementation, which exclude it from some tests of the contract suite.
  package struct Exemptions: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Reads exclude one another.
    package static let readsAreExclusive = Exemptions(rawValue: 1 << 0)

    /// A reader may starve while writers follow one another without a gap.
    package static let readersMayStarve = Exemptions(rawValue: 1 << 1)
  }

  /// Every implementation to test.
  ///
  /// To run all tests with a new implementation, add a line to this list.
  package static let all: [LockUnderTest] = [
    LockUnderTest("UnfairLock", exempt: .readsAreExclusive) { UnfairLock() },
    LockUnderTest("BiasedReadWriteLock") { BiasedReadWriteLock() },
    LockUnderTest("BiasedReadWriteLock (counted)") { BiasedReadWriteLock(bias: .counted) },
    LockUnderTest("BiasedReadWriteLock (slots)") { BiasedReadWriteLock(bias: .slots) },
    LockUnderTest("CompactReadWriteLock") { CompactReadWriteLock() },
    LockUnderTest("SpinReadWriteLock") { SpinReadWriteLock() },
    LockUnderTest("PosixReadWriteLock", exempt: .readersMayStarve) { PosixReadWriteLock() },
    LockUnderTest("DispatchReadWriteLock") { DispatchReadWriteLock() },
  ]

  /// The locks whose readers run concurrently.
  package static let sharing = all.filter { !$0.exemptions.contains(.readsAreExclusive) }

  /// The locks whose readers exclude one another.
  package static let exclusive = all.filter { $0.exemptions.contains(.readsAreExclusive) }

  /// The locks that admit waiting readers even while writers follow one another without a gap.
  package static let fairToReaders = all.filter { !$0.exemptions.contains(.readersMayStarve) }

  /// The name of the lock's type; a variant has a suffix in parentheses, such as `(slots)`.
  package let name: String

  package let exemptions: Exemptions

  /// Makes an unlocked lock.
  package let make: @Sendable () -> any ReadWriteLock

  /// Makes an unlocked lock; `nil` if the implementation has no timeouts.
  package let makeTimed: (@Sendable () -> any TimedReadWriteLock)?

  package var description: String { name }

  /// The name that the lock's trap messages begin with.
  package var primitive: String {
    #if !DeadlockDetection
      // Generic code uses an `UnfairLock` mostly in an `ExclusiveProtector`, so the lock's messages name that
      // type. With the trait `DeadlockDetection` the lock stores the name of the type that it was made for.
      if name == "UnfairLock" { return "ExclusiveProtector" }
    #endif
    return name.split(separator: " ").first.map(String.init) ?? name
  }

  /// Finds the implementation with the given name; traps if there is none.
  ///
  /// An exit test passes this name to its process, because it can't pass an implementation.
  package init(named name: String) {
    self = Self.all.first { $0.name == name }!
  }

  init<Lock: ReadWriteLock & ~Copyable>(
    _ name: String, exempt exemptions: Exemptions = [], _ make: @escaping @Sendable () -> Lock
  ) {
    self.name = name
    self.exemptions = exemptions
    self.make = { BoxedLock(make()) }
    makeTimed = nil
  }

  init<Lock: TimedReadWriteLock & ~Copyable>(
    _ name: String, exempt exemptions: Exemptions = [], _ make: @escaping @Sendable () -> Lock
  ) {
    self.name = name
    self.exemptions = exemptions
    self.make = { BoxedLock(make()) }
    makeTimed = { BoxedLock(make()) }
  }
}

/// An implementation with timeouts.
package struct TimedLockUnderTest: Sendable, CustomStringConvertible {
  package static let all = LockUnderTest.all.compactMap(TimedLockUnderTest.init)
  package static let sharing = LockUnderTest.sharing.compactMap(TimedLockUnderTest.init)

  package let name: String

  /// Makes an unlocked lock.
  package let make: @Sendable () -> any TimedReadWriteLock

  package var description: String { name }

  /// Finds the implementation with the given name; traps if there is none.
  ///
  /// An exit test passes this name to its process, because it can't pass an implementation.
  package init(named name: String) {
    self = Self.all.first { $0.name == name }!
  }

  private init?(_ lock: LockUnderTest) {
    guard let make = lock.makeTimed else { return nil }
    self.make = make
    name = lock.name
  }
}
