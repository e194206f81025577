internal import ReadWriteLocks
internal import UnfairLocks

/// The lock behind the rows of a `RowsViewModel`.
///
/// All locks protect the rows equally well. They differ in speed, memory and fairness, which the
/// documentation of their types describes. The strategy `mainActor` has no lock.
public enum RowsLock: String, Sendable, CaseIterable {
  /// A `BiasedReadWriteLock`, the lock of a `Protector`: the default.
  case biased
  /// A `CompactReadWriteLock`, which counts its readers in one word.
  case compact
  /// An `UnfairLock`, which admits one thread at a time, for reading too.
  case unfair
  /// A `PosixReadWriteLock`, which wraps the system's `pthread_rwlock_t`.
  case posix
  /// A `SpinReadWriteLock`, whose waiting threads spin and never sleep in the kernel.
  case spin
  /// A `DispatchReadWriteLock`, a concurrent dispatch queue with barriers.
  case dispatch
}

extension RowsLock {
  /// Makes an engine whose rows, an array or a tree, are guarded by this kind of lock.
  func engine<Store: RowStore>(
    of _: Store.Type, _ configuration: RowsConfiguration, delivery: RowsDelivery
  ) -> any TwoStepRowsEngine {
    switch self {
    case .biased: LockedRowsEngine<Store>(configuration, delivery: delivery)
    case .compact:
      RowsBehindLock<LockedRows<Store, _>>(configuration, lock: CompactReadWriteLock(), delivery: delivery)
    case .unfair: RowsBehindLock<LockedRows<Store, _>>(configuration, lock: UnfairLock(), delivery: delivery)
    case .posix:
      RowsBehindLock<LockedRows<Store, _>>(configuration, lock: PosixReadWriteLock(), delivery: delivery)
    case .spin:
      RowsBehindLock<LockedRows<Store, _>>(configuration, lock: SpinReadWriteLock(), delivery: delivery)
    case .dispatch:
      RowsBehindLock<LockedRows<Store, _>>(configuration, lock: DispatchReadWriteLock(), delivery: delivery)
    }
  }
}
