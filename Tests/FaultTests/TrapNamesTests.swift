import AtomicProperties
import Dispatch
import LazyInitialization
import Lifecycles
import Protectors
import ReadWriteLocks
import TestSupport
import Testing
import UnfairLocks

/// A misuse that traps, and the type that the message must name.
private struct NamedTrap: Sendable {
  let type: String
  /// Whether the message contains the label even without the trait `DeadlockDetection`.
  var storesLabel = false
  let provoke: @Sendable () -> Void

  init(_ type: String, storesLabel: Bool = false, _ provoke: @escaping @Sendable () -> Void) {
    self.type = type
    self.storesLabel = storesLabel
    self.provoke = provoke
  }
}

/// Misuses of the primitives that can have a label; each uses the label "made".
private let namedTraps: [NamedTrap] =
  unfairLockTraps + readWriteLockTraps + protectorTraps + propertyTraps + lazyTraps + lifecycleTraps

private let negative = Duration.nanoseconds(-1)

private let unfairLockTraps = [
  NamedTrap("UnfairLock") {
    let lock = UnfairLock(label: "made")
    lock.withLock { lock.withLock {} }
  },
  NamedTrap("UnfairLock") {
    let lock = UnfairLock(label: "made")
    lock.withLock { _ = lock.withLock(timeout: .seconds(1)) {} }
  },
  NamedTrap("UnfairLock") { _ = UnfairLock(label: "made").withLock(timeout: negative) {} },
  NamedTrap("UnfairLock") { UnfairLock(label: "made").precondition(.owner) },
  NamedTrap("UnfairLock") {
    let lock = UnfairLock(label: "made")
    lock.withLock { lock.precondition(.notOwner) }
  },
]

/// Misuses of a timed lock: sections nested in a write section, and negative timeouts.
private func traps<Lock: RawReadWriteLock & ~Copyable>(
  _ type: String, _ make: @escaping @Sendable () -> Lock
) -> [NamedTrap] {
  [
    NamedTrap(type) {
      let lock = make()
      lock.withWriteLock { lock.withWriteLock {} }
    },
    NamedTrap(type) {
      let lock = make()
      lock.withWriteLock { lock.withReadLock {} }
    },
    NamedTrap(type) {
      let lock = make()
      lock.withWriteLock { _ = lock.withWriteLock(timeout: .seconds(1)) {} }
    },
    NamedTrap(type) {
      let lock = make()
      lock.withWriteLock { _ = lock.withReadLock(timeout: .seconds(1)) {} }
    },
    NamedTrap(type) { _ = make().withWriteLock(timeout: negative) {} },
    NamedTrap(type) { _ = make().withReadLock(timeout: negative) {} },
  ]
}

private let readWriteLockTraps =
  traps("BiasedReadWriteLock") { BiasedReadWriteLock(label: "made") }
  + traps("CompactReadWriteLock") { CompactReadWriteLock(label: "made") }
  + traps("SpinReadWriteLock") { SpinReadWriteLock(label: "made") }
  + traps("PosixReadWriteLock") { PosixReadWriteLock(label: "made") }
  + [
    NamedTrap("BiasedReadWriteLock") {
      let lock = BiasedReadWriteLock(label: "made")
      lock.withReadLock { lock.withWriteLock {} }
    },
    NamedTrap("DispatchReadWriteLock") {
      let lock = DispatchReadWriteLock(label: "made")
      lock.withWriteLock { lock.withWriteLock {} }
    },
    NamedTrap("DispatchReadWriteLock") {
      let lock = DispatchReadWriteLock(label: "made")
      lock.withWriteLock { lock.withReadLock {} }
    },
  ]

/// Misuses of a protector with a timed lock: sections nested in a write section, and negative timeouts.
private func traps<Lock: RawReadWriteLock & ~Copyable>(
  _ type: String, _ make: @escaping @Sendable () -> LockProtector<Int, Lock>
) -> [NamedTrap] {
  [
    NamedTrap(type) {
      let protector = make()
      protector.withWriteLock { _ in protector.withWriteLock { $0 += 1 } }
    },
    NamedTrap(type) {
      let protector = make()
      protector.withWriteLock { _ in _ = protector.withReadLock { $0 } }
    },
    NamedTrap(type) {
      let protector = make()
      protector.withWriteLock { _ in _ = protector.withWriteLock(timeout: .seconds(1)) { $0 += 1 } }
    },
    NamedTrap(type) { _ = make().withWriteLock(timeout: negative) { $0 += 1 } },
    NamedTrap(type) { _ = make().withReadLock(timeout: negative) { $0 } },
    NamedTrap(type) { _ = make().withWriteLock(waitingUntil: { $0 == 0 }, timeout: negative) { $0 += 1 } },
    NamedTrap(type) { _ = make().withReadLock(waitingUntil: { $0 == 0 }, timeout: negative) { $0 } },
  ]
}

private let protectorTraps =
  traps("Protector") { Protector(0, label: "made") }
  + [
    NamedTrap("Protector") {
      let protector = Protector(0, label: "made")
      protector.withReadLock { _ in protector.withWriteLock { $0 += 1 } }
    },
    NamedTrap("ExclusiveProtector") {
      let protector = ExclusiveProtector(0, label: "made")
      protector.withLock { _ in protector.withLock { $0 += 1 } }
    },
    NamedTrap("ExclusiveProtector") {
      let protector = ExclusiveProtector(0, label: "made")
      protector.withLock { _ in _ = protector.withLock(timeout: .seconds(1)) { $0 += 1 } }
    },
    NamedTrap("ExclusiveProtector") {
      let protector = ExclusiveProtector(0, label: "made")
      protector.withLock { _ in protector.withLock(waitingUntil: { $0 == 0 }) { $0 += 1 } }
    },
    NamedTrap("ExclusiveProtector") {
      let protector = ExclusiveProtector(0, label: "made")
      protector.withLock { _ in _ = protector.exchange(1) }
    },
    NamedTrap("ExclusiveProtector") {
      let protector = ExclusiveProtector(0, label: "made")
      protector.withLock { _ in withWriteLocks(protector, Protector(0)) { _, _ in } }
    },
    NamedTrap("ExclusiveProtector") {
      _ = ExclusiveProtector(0, label: "made").withLock(timeout: negative) { $0 += 1 }
    },
    NamedTrap("ExclusiveProtector") {
      let protector = ExclusiveProtector(0, label: "made")
      _ = protector.withLock(waitingUntil: { $0 == 0 }, timeout: negative) { $0 += 1 }
    },
    NamedTrap("CompactReadWriteLock") {
      let protector = LockProtector(0, lock: CompactReadWriteLock(label: "made"))
      protector.withWriteLock { _ in protector.withWriteLock { $0 += 1 } }
    },
  ]

private let propertyTraps = [
  NamedTrap("AtomicProperty") {
    let property = AtomicProperty(0, label: "made")
    property.update { _ in property.value = 1 }
  },
  NamedTrap("QueueProperty") {
    let property = QueueProperty(0, label: "made")
    property.update { _ in property.value = 1 }
  },
  NamedTrap("QueueProperty") { QueueProperty(0, label: "made").preconditionOnQueue() },
]

private let lazyTraps = [
  NamedTrap("Once") {
    let once = Once(label: "made")
    once.run { once.run {} }
  },
  NamedTrap("OnceCell") {
    let cell = OnceCell<Int>(label: "made")
    _ = cell.value(orInitialize: { cell.value(orInitialize: { 1 }) })
  },
  NamedTrap("OnceCell") {
    let cell = OnceCell<Int>(label: "made")
    _ = cell.value(orInitialize: { cell.set(1) ?? 2 })
  },
]

private let lifecycleTraps = [
  NamedTrap("Lifecycle", storesLabel: true) { Lifecycle(label: "made").activate() }
]

@Suite struct TrapNamesTests {
  @Test("A trap names the type that the program wrote, and its label", arguments: namedTraps.indices)
  func names(index: Int) async {
    let trap = namedTraps[index]
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      namedTraps[index].provoke()
    }
    #if DeadlockDetection
      let name = "\(trap.type) \"made\": "
    #else
      let name = trap.storesLabel ? "\(trap.type) \"made\": " : "\(trap.type): "
    #endif
    let message = result?.standardErrorContent.trap ?? ""
    #expect(message.hasPrefix(name), "trap \(index)")
  }
}
