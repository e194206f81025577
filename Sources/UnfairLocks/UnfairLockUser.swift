#if DeadlockDetection
  public import LockSupport
#else
  internal import LockSupport
#endif

/// The type that uses an unfair lock.
///
/// It determines the name in the lock's trap messages, and the misuse that the messages describe.
@usableFromInline
@frozen
package struct UnfairLockUser {
  @usableFromInline
  package let rawValue: UInt

  @inlinable
  package init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  @inlinable
  package static var unfairLock: UnfairLockUser { UnfairLockUser(rawValue: 0) }
  @inlinable
  package static var exclusiveProtector: UnfairLockUser { UnfairLockUser(rawValue: 1) }
  @inlinable
  package static var atomicProperty: UnfairLockUser { UnfairLockUser(rawValue: 2) }
  @inlinable
  package static var queueProperty: UnfairLockUser { UnfairLockUser(rawValue: 3) }

  /// The name of the type, and the kind under which a profile of contention records waits for its lock.
  private var description: (name: String, waitKind: WaitKind) {
    switch rawValue {
    case 0: ("UnfairLock", .unfairLock)
    case 1: ("ExclusiveProtector", .exclusiveProtector)
    case 2: ("AtomicProperty", .atomicProperty)
    default: ("QueueProperty", .queueProperty)
    }
  }

  #if DeadlockDetection
    @usableFromInline
    var lockKind: LockKind {
      [.unfairLock, .exclusiveProtector, .atomicProperty, .queueProperty][Int(rawValue)]
    }
  #endif

  private var name: String { description.name }
  var waitKind: WaitKind { description.waitKind }

  /// Whether the lock can be held across an `await`.
  ///
  /// The property types permit that, because a property can be an `inout` argument of an async function. The
  /// other types hold the lock only while a closure runs, and that closure can't `await`.
  private var lendsToAsyncFunctions: Bool { rawValue >= Self.atomicProperty.rawValue }

  @inline(never)
  func trapRecursion() -> Never {
    if lendsToAsyncFunctions {
      misuse(
        name,
        "accessed inside an access on the same thread, which may be that of a task suspended at an await",
        "use the value that is being changed, and await before or after the access")
    }
    misuse(
      name, "locked by the thread that already holds it",
      "take it once, and call what needs it from outside the section")
  }

  @inline(never)
  func trapNotOwner() -> Never {
    misuse(
      name,
      "unlocked by a thread that does not hold it: an access was suspended at an await and resumed on another thread",
      "await before or after the access")
  }
}
