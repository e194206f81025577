package import InterlockCore
package import ReadWriteLocks
internal import UnfairLocks

/// An object that contains a lock, which may be noncopyable.
///
/// As a class, the box can be stored as `any ReadWriteLock`, so tests can treat locks of different types
/// alike.
package final class BoxedLock<Lock: ReadWriteLock & ~Copyable>: ReadWriteLock {
  package let lock: Lock

  package init(_ lock: consuming Lock) {
    self.lock = lock
  }

  /// Promises that the type keeps the rules of `ReadWriteLock`; never called.
  @unsafe package static func unsafePromiseOfExclusion() {
    // Every call goes to the lock in the box, which keeps the rules of `ReadWriteLock`.
  }

  package func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try lock.withReadLock(body)
  }

  package func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try lock.withWriteLock(body)
  }
}

extension BoxedLock: RawLock, RawReadWriteLock where Lock: RawReadWriteLock & ~Copyable {
  package typealias ReadToken = Lock.ReadToken

  @unsafe package static func unsafePromiseOfMutualExclusion() {
    // Every call goes to the lock in the box, which keeps the rules of `RawLock`.
  }

  package static var kind: PrimitiveKind { Lock.kind }

  package static func probe(of lock: BoxedLock) -> Probe { Lock.probe(of: lock.lock) }

  @unsafe
  package static func unsafeLock(
    _ lock: BoxedLock, until deadline: Deadline, for primitive: Primitive
  ) -> Bool {
    unsafe lock.lock.unsafeLock(until: deadline, for: primitive)
  }

  @unsafe
  package static func unsafeUnlock(_ lock: BoxedLock, for primitive: Primitive) {
    unsafe lock.lock.unsafeUnlock(for: primitive)
  }

  @unsafe
  package static func unsafeLockForReading(
    _ lock: BoxedLock, until deadline: Deadline, for primitive: Primitive
  ) -> Lock.ReadToken? {
    unsafe Lock.unsafeLockForReading(lock.lock, until: deadline, for: primitive)
  }

  @unsafe
  package static func unsafeUnlockAfterReading(
    _ lock: BoxedLock, _ token: consuming Lock.ReadToken, for primitive: Primitive
  ) {
    unsafe Lock.unsafeUnlockAfterReading(lock.lock, token, for: primitive)
  }
}

/// An object that contains a lock without read sections, and uses it for reading as for writing.
///
/// It lets the contract of read/write locks, apart from shared reads, run with exclusive locks.
package final class BoxedExclusiveLock<Lock: RawLock & ~Copyable>: RawReadWriteLock {
  package let lock: Lock

  package init(_ lock: consuming Lock) {
    self.lock = lock
  }

  @unsafe package static func unsafePromiseOfMutualExclusion() {
    // As below.
  }

  /// Promises that the type keeps the rules of `RawReadWriteLock`; never called.
  @unsafe package static func unsafePromiseOfExclusion() {
    // Every call goes to the lock in the box, which keeps the rules of `RawLock`.
  }

  package static var kind: PrimitiveKind { Lock.kind }

  package static func probe(of lock: BoxedExclusiveLock) -> Probe { Lock.probe(of: lock.lock) }

  @unsafe
  package static func unsafeLock(
    _ lock: BoxedExclusiveLock, until deadline: Deadline, for primitive: Primitive
  ) -> Bool {
    unsafe lock.lock.unsafeLock(until: deadline, for: primitive)
  }

  @unsafe
  package static func unsafeUnlock(_ lock: BoxedExclusiveLock, for primitive: Primitive) {
    unsafe lock.lock.unsafeUnlock(for: primitive)
  }

  @unsafe
  package static func unsafeLockForReading(
    _ lock: BoxedExclusiveLock, until deadline: Deadline, for primitive: Primitive
  ) -> Void? {
    unsafe lock.lock.unsafeLock(until: deadline, for: primitive) ? () : nil
  }

  @unsafe
  package static func unsafeUnlockAfterReading(
    _ lock: BoxedExclusiveLock, _ token: Void, for primitive: Primitive
  ) {
    unsafe lock.lock.unsafeUnlock(for: primitive)
  }
}
