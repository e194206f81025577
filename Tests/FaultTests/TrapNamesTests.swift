import AtomicProperties
import Dispatch
import LazyInitialization
import Lifecycles
import Observers
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

  /// - Parameter make: Makes the primitive, with the label "made".
  init<Primitive: ~Copyable>(
    _ type: String, storesLabel: Bool = false, _ make: @escaping @Sendable () -> Primitive,
    _ provoke: @escaping @Sendable (borrowing Primitive) -> Void
  ) {
    self.type = type
    self.storesLabel = storesLabel
    self.provoke = { provoke(make()) }
  }
}

/// Misuses of the primitives that can have a label.
private let namedTraps: [NamedTrap] =
  unfairLockTraps + readWriteLockTraps + protectorTraps + exclusiveProtectorTraps + propertyTraps + lazyTraps
  + [
    NamedTrap("Lifecycle", storesLabel: true, { Lifecycle(label: "made") }, { $0.activate() }),
    NamedTrap("WeakObservers", { WeakObservers<Int>(label: "made") }, { $0.add(whileAlive: 5) }),
  ]

private let negative = Duration.nanoseconds(-1)

private let unfairLockTraps: [NamedTrap] = {
  let misuses: [@Sendable (borrowing UnfairLock) -> Void] = [
    { lock in lock.withLock { lock.withLock {} } },
    { lock in lock.withLock { _ = unlessTimedOut { try lock.withLock(timeout: .seconds(1)) {} } } },
    { lock in _ = unlessTimedOut { try lock.withLock(timeout: negative) {} } },
    { lock in lock.precondition(.owner) },
    { lock in lock.withLock { lock.precondition(.notOwner) } },
  ]
  return misuses.map { NamedTrap("UnfairLock", { UnfairLock(label: "made") }, $0) }
}()

/// Misuses of a timed lock: sections nested in a write section, and negative timeouts.
private func traps<Lock: RawReadWriteLock & ~Copyable>(
  _ type: String, _ make: @escaping @Sendable () -> Lock
) -> [NamedTrap] {
  let misuses: [@Sendable (borrowing Lock) -> Void] = [
    { lock in lock.withWriteLock { lock.withWriteLock {} } },
    { lock in lock.withWriteLock { lock.withReadLock {} } },
    { lock in lock.withWriteLock { _ = unlessTimedOut { try lock.withWriteLock(timeout: .seconds(1)) {} } } },
    { lock in lock.withWriteLock { _ = unlessTimedOut { try lock.withReadLock(timeout: .seconds(1)) {} } } },
    { lock in _ = unlessTimedOut { try lock.withWriteLock(timeout: negative) {} } },
    { lock in _ = unlessTimedOut { try lock.withReadLock(timeout: negative) {} } },
  ]
  return misuses.map { NamedTrap(type, make, $0) }
}

private let readWriteLockTraps: [NamedTrap] = {
  let biased = { @Sendable in BiasedReadWriteLock(label: "made") }
  let dispatch = { @Sendable in DispatchReadWriteLock(label: "made") }
  return traps("BiasedReadWriteLock", biased)
    + traps("CompactReadWriteLock") { CompactReadWriteLock(label: "made") }
    + traps("SpinReadWriteLock") { SpinReadWriteLock(label: "made") }
    + traps("PosixReadWriteLock") { PosixReadWriteLock(label: "made") }
    + [
      NamedTrap("BiasedReadWriteLock", biased) { lock in lock.withReadLock { lock.withWriteLock {} } },
      NamedTrap("DispatchReadWriteLock", dispatch) { lock in lock.withWriteLock { lock.withWriteLock {} } },
      NamedTrap("DispatchReadWriteLock", dispatch) { lock in lock.withWriteLock { lock.withReadLock {} } },
    ]
}()

/// Misuses of a protector: sections nested in another one, and negative timeouts.
private let protectorTraps: [NamedTrap] = {
  let misuses: [@Sendable (Protector<Int>) -> Void] = [
    { number in number.withWriteLock { _ in number.withWriteLock { $0 += 1 } } },
    { number in number.withWriteLock { _ in _ = number.withReadLock { $0 } } },
    { number in
      number.withWriteLock { _ in
        _ = unlessTimedOut { try number.withWriteLock(timeout: .seconds(1)) { $0 += 1 } }
      }
    },
    { number in number.withReadLock { _ in number.withWriteLock { $0 += 1 } } },
    { number in _ = unlessTimedOut { try number.withWriteLock(timeout: negative) { $0 += 1 } } },
    { number in _ = unlessTimedOut { try number.withReadLock(timeout: negative) { $0 } } },
    { number in
      _ = unlessTimedOut {
        try number.withWriteLock(waitingUntil: { $0 == 0 }, timeout: negative) { $0 += 1 }
      }
    },
    { number in
      _ = unlessTimedOut { try number.withReadLock(waitingUntil: { $0 == 0 }, timeout: negative) { $0 } }
    },
  ]
  return misuses.map { misuse in NamedTrap("Protector", { Protector(0, label: "made") }, { misuse($0) }) }
    + [
      NamedTrap(
        "CompactReadWriteLock", { LockProtector(0, lock: CompactReadWriteLock(label: "made")) },
        { number in number.withWriteLock { _ in number.withWriteLock { $0 += 1 } } })
    ]
}()

private let exclusiveProtectorTraps: [NamedTrap] = {
  let misuses: [@Sendable (ExclusiveProtector<Int>) -> Void] = [
    { number in number.withLock { _ in number.withLock { $0 += 1 } } },
    { number in
      number.withLock { _ in _ = unlessTimedOut { try number.withLock(timeout: .seconds(1)) { $0 += 1 } } }
    },
    { number in number.withLock { _ in number.withLock(waitingUntil: { $0 == 0 }) { $0 += 1 } } },
    { number in number.withLock { _ in _ = number.exchange(1) } },
    { number in number.withLock { _ in withWriteLocks(number, Protector(0)) { _, _ in } } },
    { number in _ = unlessTimedOut { try number.withLock(timeout: negative) { $0 += 1 } } },
    { number in
      _ = unlessTimedOut { try number.withLock(waitingUntil: { $0 == 0 }, timeout: negative) { $0 += 1 } }
    },
  ]
  return misuses.map { misuse in
    NamedTrap("ExclusiveProtector", { ExclusiveProtector(0, label: "made") }, { misuse($0) })
  }
}()

private let propertyTraps: [NamedTrap] = {
  let queue = { @Sendable in QueueProperty(0, label: "made") }
  return [
    NamedTrap("AtomicProperty", { AtomicProperty(0, label: "made") }) { number in
      number.update { _ in number.value = 1 }
    },
    NamedTrap("QueueProperty", queue) { number in number.update { _ in number.value = 1 } },
    NamedTrap("QueueProperty", queue) { number in number.preconditionOnQueue() },
  ]
}()

private let lazyTraps: [NamedTrap] = {
  let cell = { @Sendable in OnceCell<Int>(label: "made") }
  return [
    NamedTrap("Once", { Once(label: "made") }) { once in once.run { once.run {} } },
    NamedTrap("OnceCell", cell) { cell in
      _ = cell.value(orInitialize: { cell.value(orInitialize: { 1 }) })
    },
    NamedTrap("OnceCell", cell) { cell in _ = cell.value(orInitialize: { cell.set(1) ?? 2 }) },
  ]
}()

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
