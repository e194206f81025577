/// The type of a primitive, or of a part of one that traps and reports name separately.
@usableFromInline
@frozen
package enum PrimitiveKind: UInt8, Sendable {
  case unfairLock, exclusiveProtector, atomicProperty, queueProperty
  case biased, compact, spin, posix, dispatch, protector, lockProtector
  case once, onceCell, lazy
  /// The deliveries of a `Lifecycle`.
  case lifecycle
  /// The body that a program passes to `Lifecycle.activate`.
  case activation
  /// The predicates for which threads wait in a protector.
  case predicate
  /// The dispatch queue of a `QueueProperty`.
  case queueOfProperty
  /// The body that a program passes to `DeadlockDetector.holding`.
  case scope
  case snapshot
  case asyncMutex, asyncSemaphore

  package var name: String {
    switch self {
    case .unfairLock: "UnfairLock"
    case .exclusiveProtector: "ExclusiveProtector"
    case .atomicProperty: "AtomicProperty"
    case .queueProperty: "QueueProperty"
    case .biased: "BiasedReadWriteLock"
    case .compact: "CompactReadWriteLock"
    case .spin: "SpinReadWriteLock"
    case .posix: "PosixReadWriteLock"
    case .dispatch: "DispatchReadWriteLock"
    case .protector: "Protector"
    case .lockProtector: "LockProtector"
    case .once: "Once"
    case .onceCell: "OnceCell"
    case .lazy: "Lazy"
    case .lifecycle: "Lifecycle"
    case .activation: "activation of Lifecycle"
    case .predicate: "predicate of a protector"
    case .queueOfProperty: "queue of QueueProperty"
    case .scope: "scope"
    case .snapshot: "Snapshot"
    case .asyncMutex: "AsyncMutex"
    case .asyncSemaphore: "AsyncSemaphore"
    }
  }

  /// Whether several threads can hold a primitive of this type for reading at the same time.
  package var sharesReads: Bool {
    switch self {
    case .protector, .biased, .compact, .spin, .posix, .dispatch, .lifecycle: true
    default: false
    }
  }
}

/// How a thread acquires a primitive.
@usableFromInline
@frozen
package enum LockMode: UInt64, Sendable, Comparable {
  case read, write
  /// Not modes of a lock: the deadlock detector uses them for write sections that can make a predicate true.
  /// `satisfyingAfterWaiting` is for a section that may itself have waited for a predicate.
  case satisfying, satisfyingAfterWaiting

  @usableFromInline
  package static func < (first: LockMode, second: LockMode) -> Bool { first.rawValue < second.rawValue }
}
