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

    /// Its threads wait in the system: the explorer can't continue them, and the lock can't trap when it is
    /// destroyed while a thread holds it.
    package static let waitsInTheSystem = Exemptions(rawValue: 1 << 2)

    /// Two threads have too many schedules for the explorer to try all of them.
    package static let hasTooManySchedules = Exemptions(rawValue: 1 << 3)

    /// Its waiting threads poll, and never sleep.
    package static let neverSleeps = Exemptions(rawValue: 1 << 4)
  }

  /// Every implementation to test.
  ///
  /// To run all tests with a new implementation, add a line to this list.
  package static let all: [LockUnderTest] = [
    LockUnderTest(exclusive: "UnfairLock") { UnfairLock() },
    LockUnderTest("BiasedReadWriteLock", exempt: .hasTooManySchedules) { BiasedReadWriteLock() },
    LockUnderTest("BiasedReadWriteLock (counted)") { BiasedReadWriteLock(bias: .counted) },
    LockUnderTest("BiasedReadWriteLock (slots)") { BiasedReadWriteLock(bias: .slots) },
    LockUnderTest("CompactReadWriteLock") { CompactReadWriteLock() },
    LockUnderTest("SpinReadWriteLock", exempt: .neverSleeps) { SpinReadWriteLock() },
    LockUnderTest("PosixReadWriteLock", exempt: [.readersMayStarve, .waitsInTheSystem]) {
      PosixReadWriteLock()
    },
    LockUnderTest("DispatchReadWriteLock", exempt: .waitsInTheSystem) { DispatchReadWriteLock() },
  ]

  /// The locks whose readers run concurrently.
  package static let sharing = all.filter { !$0.exemptions.contains(.readsAreExclusive) }

  /// The locks whose readers exclude one another.
  package static let exclusive = all.filter { $0.exemptions.contains(.readsAreExclusive) }

  /// The locks of which the explorer tries every schedule of two threads.
  package static let explored = all.filter {
    $0.exemptions.isDisjoint(with: [.waitsInTheSystem, .hasTooManySchedules])
  }

  /// The locks that trap when they are destroyed while a thread holds them for writing.
  package static let trappingWhenDestroyed = all.filter { !$0.exemptions.contains(.waitsInTheSystem) }

  /// The locks that admit waiting readers even while writers follow one another without a gap.
  package static let fairToReaders = all.filter { !$0.exemptions.contains(.readersMayStarve) }

  /// The name of the lock's type; a variant has a suffix in parentheses, such as `(slots)`.
  package let name: String

  package let exemptions: Exemptions

  /// Makes an unlocked lock.
  package let make: @Sendable () -> any ReadWriteLock

  /// Makes an unlocked lock; `nil` if the implementation has no timeouts.
  package let makeTimed: (@Sendable () -> any RawReadWriteLock)?

  /// Destroys a lock inside its own section, which is a read section if the argument says so.
  package let destroyWhileHeld: @Sendable (_ isRead: Bool) -> Void

  package var description: String { name }

  /// The name that the lock's trap messages begin with.
  package var primitive: String { name.split(separator: " ").first.map(String.init) ?? name }

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
    destroyWhileHeld = { Self.destroyWhileHeld(isRead: $0) { BoxedLock(make()) } }
  }

  init<Lock: RawReadWriteLock & ~Copyable>(
    _ name: String, exempt exemptions: Exemptions = [], _ make: @escaping @Sendable () -> Lock
  ) {
    self.name = name
    self.exemptions = exemptions
    self.make = { BoxedLock(make()) }
    makeTimed = { BoxedLock(make()) }
    destroyWhileHeld = { Self.destroyWhileHeld(isRead: $0) { BoxedLock(make()) } }
  }

  /// Makes an implementation without read sections, whose reads exclude one another.
  init<Lock: RawLock & ~Copyable>(
    exclusive name: String, exempt exemptions: Exemptions = [], _ make: @escaping @Sendable () -> Lock
  ) {
    self.name = name
    self.exemptions = exemptions.union(.readsAreExclusive)
    self.make = { BoxedExclusiveLock(make()) }
    makeTimed = { BoxedExclusiveLock(make()) }
    destroyWhileHeld = { Self.destroyWhileHeld(isRead: $0) { BoxedExclusiveLock(make()) } }
  }

  /// Releases the box of a lock once too often in a section, which destroys the lock while it is held.
  private static func destroyWhileHeld<Box: ReadWriteLock & AnyObject>(isRead: Bool, _ make: () -> Box) {
    let owner = Unmanaged.passRetained(make())
    owner._withUnsafeGuaranteedRef { object in
      if isRead { object.withReadLock { owner.release() } } else { object.withWriteLock { owner.release() } }
    }
  }
}

/// An implementation with timeouts.
package struct TimedLockUnderTest: Sendable, CustomStringConvertible {
  package static let all = LockUnderTest.all.compactMap(TimedLockUnderTest.init)
  package static let sharing = LockUnderTest.sharing.compactMap(TimedLockUnderTest.init)
  package static let exclusive = LockUnderTest.exclusive.compactMap(TimedLockUnderTest.init)
  package static let explored = LockUnderTest.explored.compactMap(TimedLockUnderTest.init)
  package static let exploredSharing = explored.filter { lock in sharing.contains { $0.name == lock.name } }

  package let name: String

  /// Makes an unlocked lock.
  package let make: @Sendable () -> any RawReadWriteLock

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
