package import ReadWriteLocks
internal import UnfairLocks

/// An implementation of `ReadWriteLock` that the contract suite and the stress tests are run against.
package struct LockUnderTest: Sendable, CustomStringConvertible {
  /// Where an implementation promises less than the others.
  package struct Exemptions: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Reads exclude one another.
    package static let readsAreExclusive = Exemptions(rawValue: 1 << 0)

    /// A reader may wait for as long as writers follow one another without a gap.
    package static let readersMayStarve = Exemptions(rawValue: 1 << 1)
  }

  /// Every implementation; a new one is one line here, and is tested by the whole suite.
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

  /// Those whose readers run side by side.
  package static let sharing = all.filter { !$0.exemptions.contains(.readsAreExclusive) }

  /// Those whose readers exclude one another.
  package static let exclusive = all.filter { $0.exemptions.contains(.readsAreExclusive) }

  /// Those that let readers in between writers.
  package static let fairToReaders = all.filter { !$0.exemptions.contains(.readersMayStarve) }

  /// What the traps call it, and in parentheses what tells it from others of its type.
  package let name: String

  package let exemptions: Exemptions

  /// Makes a lock that is free.
  package let make: @Sendable () -> any ReadWriteLock

  /// Makes a lock that is free, where the implementation has timed forms.
  package let makeTimed: (@Sendable () -> any TimedReadWriteLock)?

  package var description: String { name }

  /// What the traps call it.
  package var primitive: String {
    // As a read/write lock, it is the lock of that protector.
    if name == "UnfairLock" { return "ExclusiveProtector" }
    return name.split(separator: " ").first.map(String.init) ?? name
  }

  /// The implementation of that name: what a process of an exit test is given.
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

/// An implementation that has timed forms.
package struct TimedLockUnderTest: Sendable, CustomStringConvertible {
  package static let all = LockUnderTest.all.compactMap(TimedLockUnderTest.init)
  package static let sharing = LockUnderTest.sharing.compactMap(TimedLockUnderTest.init)

  package let name: String

  /// Makes a lock that is free.
  package let make: @Sendable () -> any TimedReadWriteLock

  package var description: String { name }

  /// The implementation of that name: what a process of an exit test is given.
  package init(named name: String) {
    self = Self.all.first { $0.name == name }!
  }

  private init?(_ lock: LockUnderTest) {
    guard let make = lock.makeTimed else { return nil }
    self.make = make
    name = lock.name
  }
}
