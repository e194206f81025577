// Each function calls the fast path of one operation, as a program that uses the package does.
// `Tests/Instructions/check` compares the compiled instructions with a recorded list.

import AtomicProperties
import Jobs
import LazyInitialization
import Lifecycles
import Protectors
import RawLocks
import ReadWriteLocks
import Snapshots
import Synchronization
import UnfairLocks

final class Locks {
  let unfair = UnfairLock()
  let compact = CompactReadWriteLock()
  let biased = BiasedReadWriteLock()
  let spin = SpinReadWriteLock()
  let protector = Protector(0)
  let exclusive = ExclusiveProtector(0)
  let property = AtomicProperty(0)
  let lockFree = LockFreeProperty(0)
  let once = Once()
  let cell = OnceCell<Int>()
  let lazy = Lazy { 0 }
  let lifecycle = Lifecycle(label: "probe")
  var value = 0
}

@inline(never) func probe_unfair_lock(_ l: Locks) {
  l.unfair.withLock {
    l.value &+= 1
    #if CONTROL
      l.value &*= 3
    #endif
  }
}
@inline(never) func probe_unfair_try(_ l: Locks) { _ = l.unfair.withLockIfAvailable { l.value &+= 1 } }
@inline(never) func probe_unfair_init() -> UnfairLock { UnfairLock() }
@inline(never) func probe_unfair_init_with_label() -> UnfairLock { UnfairLock(label: "a label") }
@inline(never) func probe_compact_read(_ l: Locks) -> Int { l.compact.withReadLock { l.value } }
@inline(never) func probe_compact_write(_ l: Locks) { l.compact.withWriteLock { l.value &+= 1 } }
@inline(never) func probe_biased_read(_ l: Locks) -> Int { l.biased.withReadLock { l.value } }
@inline(never) func probe_biased_write(_ l: Locks) { l.biased.withWriteLock { l.value &+= 1 } }
@inline(never) func probe_spin_read(_ l: Locks) -> Int { l.spin.withReadLock { l.value } }
@inline(never) func probe_spin_write(_ l: Locks) { l.spin.withWriteLock { l.value &+= 1 } }
@inline(never) func probe_protector_read(_ p: Protector<Int>) -> Int { p.withReadLock { $0 } }
@inline(never) func probe_protector_write(_ p: Protector<Int>) { p.withWriteLock { $0 &+= 1 } }
@inline(never) func probe_exclusive_protector(_ p: ExclusiveProtector<Int>) { p.withLock { $0 &+= 1 } }
@inline(never) func probe_wait(_ p: ExclusiveProtector<Int>) {
  p.withLock(waitingUntil: { $0 > 0 }) { $0 &-= 1 }
}
// In a generic client, only inlined functions are specialised.
@inline(never) func probe_generic_wait<T: Equatable & Sendable>(
  _ p: ExclusiveProtector<T>, _ value: T, _ wanted: T
) {
  p.withLock(waitingUntil: { $0 == wanted }) { $0 = value }
}
@inline(never) func probe_atomic_property(_ p: AtomicProperty<Int>) { p.value &+= 1 }
@inline(never) func probe_atomic_property_init() -> AtomicProperty<Int> { AtomicProperty(0) }
@inline(never) func probe_lock_free_property(_ p: LockFreeProperty<Int>) {
  p.wrappingAdd(1, ordering: .relaxed)
}
@inline(never) func probe_once(_ l: Locks) { l.once.run { l.value = 1 } }
@inline(never) func probe_once_cell(_ l: Locks) -> Int { l.cell.value { 3 } }
@inline(never) func probe_lazy(_ lazy: Lazy<Int>) -> Int { lazy.value }
@inline(never) func probe_lifecycle(_ lifecycle: Lifecycle, _ l: Locks) {
  lifecycle.whileActive { l.value &+= 1 }
}
@inline(never) func probe_snapshot_read(_ snapshot: Snapshot<Int>) -> Int { snapshot.withCurrent { $0 } }

extension OnceCell where Value == Int {
  borrowing func value(_ make: () -> Int) -> Int { value(orInitialize: make) }
}

// What a section returns must be retained before the store that ends the section: `Tests/Instructions/retains` looks for that.

// A call that needs not wait must not change its executor before the next one: no `swift_task_switch` stands between.
@inline(never) func probe_task_write(_ p: Protector<Int>) async throws {
  try await p.withWriteLock(waitingUntil: { $0 > 0 }) { $0 -= 1 }
  try await p.withWriteLock(waitingUntil: { $0 > 0 }) { $0 -= 1 }
}
@inline(never) func probe_task_read(_ p: Protector<Int>) async throws -> Int {
  let value = try await p.withReadLock(waitingUntil: { $0 > 0 }) { $0 }
  return try await value + p.withReadLock(waitingUntil: { $0 > 0 }) { $0 }
}
@inline(never) func probe_task_receive(_ m: Mailbox<Int>) async throws {
  _ = try await m.receive()
  _ = try await m.receive()
}

final class Box: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

protocol Numbered: Sendable { var number: Int { get } }

struct Named: Sendable {
  var name: String
  var number: Int
}

final class Owner {
  let lifecycle = Lifecycle(label: "probe")
  var box = Box(0)
}

/// A client's own lock, which unlocks by a plain store, as `RawLock` permits.
struct OwnLock: ~Copyable, RawLock {
  private let isLocked = Atomic(0)
  private let probe = Probe(Primitive(Self.kind))

  static var kind: PrimitiveKind { PrimitiveKind("OwnLock") }

  static func probe(of lock: borrowing OwnLock) -> Probe { lock.probe }

  @unsafe static func unsafePromiseOfMutualExclusion() {
    // A thread acquires the lock only by an exchange of 0 for 1.
  }

  static func unsafeLock(
    _ lock: borrowing OwnLock, until deadline: Deadline, for primitive: Primitive
  ) -> Bool {
    while !lock.isLocked.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged {
      if deadline.hasPassed { return false }
    }
    return true
  }

  static func unsafeUnlock(_ lock: borrowing OwnLock, for primitive: Primitive) {
    lock.isLocked.store(0, ordering: .releasing)
  }
}

@inline(never) func returned_object_of_own_lock(_ l: borrowing OwnLock, _ o: Owner) -> Box {
  l.withLock { o.box }
}
@inline(never) func returned_object(_ p: Protector<Box>) -> Box { p.withReadLock { $0 } }
@inline(never) func returned_object_used(_ p: Protector<Box>) -> Int { p.withReadLock { $0 }.number }
@inline(never) func returned_array(_ p: Protector<[Int]>) -> [Int] { p.withReadLock { $0 } }
@inline(never) func returned_string(_ p: Protector<String>) -> String { p.withReadLock { $0 } }
@inline(never) func returned_struct(_ p: Protector<Named>) -> Named { p.withReadLock { $0 } }
@inline(never) func returned_object_of_lock(_ l: borrowing BiasedReadWriteLock, _ o: Owner) -> Box {
  l.withReadLock { o.box }
}
@inline(never) func returned_object_of_snapshot(_ s: Snapshot<Box>) -> Box { s.current }
@inline(never) func returned_string_of_snapshot(_ s: Snapshot<Named>) -> String {
  s.withCurrent { $0.name }
}
@inline(never) func returned_object_of_delivery(_ o: Owner) -> Box? {
  o.lifecycle.whileActive { o.box }
}
