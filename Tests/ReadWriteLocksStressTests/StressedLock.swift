import ReadWriteLocks
import Testing
import UnfairLocks

/// An implementation of `ReadWriteLock` that the stress tests are run against.
struct StressedLock: Sendable, CustomTestStringConvertible {
  /// Every implementation; a new one is one line here.
  static let all: [StressedLock] = [
    StressedLock("UnfairLock") { UnfairLock() },
    StressedLock("BiasedReadWriteLock") { BiasedReadWriteLock() },
    StressedLock("BiasedReadWriteLock (central)") { BiasedReadWriteLock(bias: .central) },
    StressedLock("BiasedReadWriteLock (fenced)") { BiasedReadWriteLock(bias: .fenced) },
    StressedLock("BiasedReadWriteLock (asymmetric)") { BiasedReadWriteLock(bias: .asymmetric) },
    StressedLock("CompactReadWriteLock") { CompactReadWriteLock() },
    StressedLock("SpinReadWriteLock") { SpinReadWriteLock() },
    StressedLock("PosixReadWriteLock") { PosixReadWriteLock() },
    StressedLock("DispatchReadWriteLock") { DispatchReadWriteLock() },
  ]

  /// Those that have timed forms.
  static let timed = all.filter { $0.makeTimed != nil }

  let name: String

  /// Makes a lock that is free.
  let make: @Sendable () -> any ReadWriteLock

  /// Makes a lock that is free, where the implementation has timed forms.
  let makeTimed: (@Sendable () -> any TimedReadWriteLock)?

  var testDescription: String { name }

  init<Lock: ReadWriteLock & ~Copyable>(_ name: String, _ make: @escaping @Sendable () -> Lock) {
    self.name = name
    self.make = { BoxedLock(make()) }
    makeTimed = nil
  }

  init<Lock: TimedReadWriteLock & ~Copyable>(_ name: String, _ make: @escaping @Sendable () -> Lock) {
    self.name = name
    self.make = { BoxedLock(make()) }
    makeTimed = { BoxedLock(make()) }
  }
}
