import RawLocks
import Synchronization

/// A lock of one's own.
struct Flag: ~Copyable, RawLock {
  private let isLocked = Atomic(false)
  private let probe = Probe(Primitive(Self.kind))

  static var kind: PrimitiveKind { PrimitiveKind("Flag") }

  static func probe(of lock: borrowing Flag) -> Probe { lock.probe }

  static func unsafePromiseOfMutualExclusion() {
    // An exchange of false for true makes a thread the holder.
  }

  static func unsafeLock(
    _ lock: borrowing Flag, until deadline: Deadline, for primitive: Primitive
  ) -> Bool {
    while lock.isLocked.exchange(true, ordering: .acquiring) {
      if deadline.hasPassed { return false }
    }
    return true
  }

  static func unsafeUnlock(_ lock: borrowing Flag, for primitive: Primitive) {
    lock.isLocked.store(false, ordering: .releasing)
  }
}

let flag = Flag()
print(flag.withLock { 1 })
