import Interlock
import TestSupport
import Testing

/// The result of a section is destroyed after the section, also if the caller ignores it: its `deinit` may need
/// the lock.
///
/// The optimizer may destroy an ignored result right after its last use, so only an optimized build can fail. A
/// failure is a trap.
@Suite struct IgnoredResultsTests {
  @Test func ofAnExclusiveLock() async {
    await #expect(processExitsWith: .success) {
      let owner = LockOwner()
      for drop in [owner.drop, owner.dropInTime, owner.dropIfAvailable] {
        owner.object = AtEnd { [unowned owner] in owner.lock.withLock {} }
        drop()
        precondition(owner.object == nil)
      }
    }
  }

  @Test func ofAReadWriteLock() async {
    await #expect(processExitsWith: .success) {
      let owner = ReadWriteLockOwner()
      for drop in [owner.drop, owner.dropInTime, owner.dropAfterReading, owner.dropAfterReadingInTime] {
        owner.object = AtEnd { [unowned owner] in owner.lock.withWriteLock {} }
        drop()
        precondition(owner.object == nil)
      }
    }
  }

  @Test func ofProtectors() async {
    await #expect(processExitsWith: .success) {
      let owner = ProtectorOwner()
      for drop in [
        owner.drop, owner.dropInTime, owner.dropWaiting, owner.dropOfTwo, owner.dropOfMany, owner.exchange,
        owner.exchangeByClosure,
      ] {
        owner.object.withWriteLock { $0 = AtEnd { [unowned owner] in owner.object.withWriteLock { _ in } } }
        drop()
        precondition(owner.object.withReadLock { $0 == nil })
      }
    }
  }

  @Test func ofExclusiveProtectors() async {
    await #expect(processExitsWith: .success) {
      let owner = ExclusiveProtectorOwner()
      for drop in [
        owner.drop, owner.dropInTime, owner.dropWaiting, owner.exchange, owner.exchangeByClosure,
      ] {
        owner.object.withLock { $0 = AtEnd { [unowned owner] in owner.object.withLock { _ in } } }
        drop()
        precondition(owner.object.withLock { $0 == nil })
      }
    }
  }

  @Test func ofProperties() async {
    await #expect(processExitsWith: .success) {
      let owner = PropertyOwner()
      for drop in [owner.drop, owner.exchange, owner.assign] {
        owner.object.value = AtEnd { [unowned owner] in _ = owner.object.value }
        drop()
        precondition(owner.object.value == nil)
      }
    }
  }

  @Test func ofAnUpdate() async {
    await #expect(processExitsWith: .success) {
      let owner = SnapshotOwner()
      owner.object = AtEnd { [unowned owner] in owner.numbers.publish([]) }
      owner.drop()
      precondition(owner.object == nil && owner.numbers.current.isEmpty)
    }
  }

  @Test func ofADelivery() async {
    await #expect(processExitsWith: .success) {
      let owner = LifecycleOwner()
      owner.lifecycle.activate()
      // Inside the delivery, the other thread would wait forever.
      owner.object = AtEnd { [unowned owner] in concurrently({ owner.lifecycle.invalidate() }) }
      owner.drop()
      precondition(owner.object == nil && owner.lifecycle.state == .invalidated)
    }
  }
}

/// Runs a closure when it is destroyed.
private final class AtEnd: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  deinit { body() }
}

// The functions below are not inlined, as in a client: inlined, the compiler could see that the object is used.

private final class LockOwner: Sendable {
  let lock = UnfairLock()
  nonisolated(unsafe) var object: AtEnd?

  @inline(never) @Sendable func drop() { _ = lock.withLock { object.take() } }
  @inline(never) @Sendable func dropInTime() {
    _ = try? lock.withLock(timeout: .seconds(1)) { object.take() }
  }
  @inline(never) @Sendable func dropIfAvailable() { _ = lock.withLockIfAvailable { object.take() } }
}

private final class ReadWriteLockOwner: Sendable {
  let lock = CompactReadWriteLock()
  nonisolated(unsafe) var object: AtEnd?

  @inline(never) @Sendable func drop() { _ = lock.withWriteLock { object.take() } }
  @inline(never) @Sendable func dropInTime() {
    _ = try? lock.withWriteLock(timeout: .seconds(1)) { object.take() }
  }
  // Right in this test alone, where no other thread reads.
  @inline(never) @Sendable func dropAfterReading() { _ = lock.withReadLock { object.take() } }
  @inline(never) @Sendable func dropAfterReadingInTime() {
    _ = try? lock.withReadLock(timeout: .seconds(1)) { object.take() }
  }
}

private final class ProtectorOwner: Sendable {
  let object = Protector<AtEnd?>(nil)
  private let other = ExclusiveProtector(0)

  @inline(never) @Sendable func drop() { _ = object.withWriteLock { $0.take() } }
  @inline(never) @Sendable func dropInTime() {
    _ = try? object.withWriteLock(timeout: .seconds(1)) { $0.take() }
  }
  @inline(never) @Sendable func dropWaiting() {
    _ = try? object.withWriteLock(waitingUntil: { $0 != nil }, timeout: .seconds(1)) { $0.take() }
  }
  @inline(never) @Sendable func dropOfTwo() {
    _ = withWriteLocks(object, other) { object, _ in object.take() }
  }
  @inline(never) @Sendable func dropOfMany() { _ = withWriteLocks([object]) { $0[0].take() } }
  @inline(never) @Sendable func exchange() { object.exchange(nil) }
  @inline(never) @Sendable func exchangeByClosure() { object.exchange { _ in nil } }
}

private final class ExclusiveProtectorOwner: Sendable {
  let object = ExclusiveProtector<AtEnd?>(nil)

  @inline(never) @Sendable func drop() { _ = object.withLock { $0.take() } }
  @inline(never) @Sendable func dropInTime() { _ = try? object.withLock(timeout: .seconds(1)) { $0.take() } }
  @inline(never) @Sendable func dropWaiting() {
    _ = try? object.withLock(waitingUntil: { $0 != nil }, timeout: .seconds(1)) { $0.take() }
  }
  @inline(never) @Sendable func exchange() { object.exchange(nil) }
  @inline(never) @Sendable func exchangeByClosure() { object.exchange { _ in nil } }
}

private final class PropertyOwner: Sendable {
  let object = AtomicProperty<AtEnd?>(nil)

  @inline(never) @Sendable func drop() { _ = object.update { $0.take() } }
  @inline(never) @Sendable func exchange() { object.exchange(nil) }
  @inline(never) @Sendable func assign() { object.value = nil }
}

private final class SnapshotOwner: Sendable {
  let numbers = Snapshot([1])
  nonisolated(unsafe) var object: AtEnd?

  @inline(never) func drop() {
    _ = numbers.update { numbers in
      numbers.append(2)
      return object.take()
    }
  }
}

private final class LifecycleOwner: Sendable {
  let lifecycle = Lifecycle(label: "LifecycleOwner")
  nonisolated(unsafe) var object: AtEnd?

  @inline(never) func drop() { _ = lifecycle.whileActive { object.take() } }
}
