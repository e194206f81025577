// Each function calls the fast path of one operation, as a program that uses the package does.
// `Tests/Instructions/check` compares the compiled instructions with a recorded list.

import AtomicProperties
import LazyInitialization
import Lifecycles
import Protectors
import ReadWriteLocks
import Snapshots
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
