internal import Dispatch
// Imported for `NSLock` and the functions of pthreads only.
internal import Foundation
internal import Protectors
internal import ReadWriteLocks
internal import Synchronization
internal import UnfairLocks

/// An integer behind a lock, as the suites "locks" and "mix" measure it.
///
/// The integer is stored beside the lock, and the functions get its address. An implementation that contains
/// an integer of its own ignores the address.
///
/// Implementations are noncopyable structs. The compiler inlines their functions into the measured loop, as
/// it inlines a lock into a client's code.
protocol GuardedInteger: ~Copyable, Sendable {
  /// Calls `body` with the integer while the lock is held for reading, and returns the result of `body`.
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int

  /// Calls `body` with the integer while the lock is held for writing, and returns the result of `body`.
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int
}

// The bodies of the shortest critical sections are named functions and not closures. For each closure, the
// compiler would make another copy of the lock's code. It might then replace a copy by a jump to an equal
// copy, and the jump would be measured too.

/// The body of a read section: returns the integer.
@inline(__always)
func unchanged(_ value: Int) -> Int { value }

/// The body of a write section: increments the integer and returns it.
@inline(__always)
func incremented(_ value: inout Int) -> Int {
  value &+= 1
  return value
}

/// An integer without a lock, for what an exchange and a line of the cache cost.
struct AtomicInteger: GuardedInteger, ~Copyable {
  private let storage = Atomic(0)

  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    body(storage.load(ordering: .relaxed))
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    storage.wrappingAdd(1, ordering: .relaxed).newValue
  }
}

/// An integer behind a lock that reads and writes acquire alike.
protocol ExclusivelyGuardedInteger: GuardedInteger, ~Copyable {
  borrowing func exclusively(_ body: () -> Int) -> Int
}

extension ExclusivelyGuardedInteger where Self: ~Copyable {
  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    exclusively { body(integer.pointee) }
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    exclusively { body(&integer.pointee) }
  }
}

/// An integer behind a lock of this package that has no read sections.
struct BehindLock<Lock: RawLock & ~Copyable>: ExclusivelyGuardedInteger, ~Copyable
where Lock.ReadToken == Never {
  private let lock: Lock

  init(_ lock: consuming Lock) {
    self.lock = lock
  }

  @inline(__always)
  borrowing func exclusively(_ body: () -> Int) -> Int { lock.withLock { body() } }
}

struct BehindMutex: ExclusivelyGuardedInteger, ~Copyable {
  private let mutex = Mutex(())

  @inline(__always)
  borrowing func exclusively(_ body: () -> Int) -> Int { mutex.withLock { _ in body() } }
}

struct BehindNSLock: ExclusivelyGuardedInteger, ~Copyable {
  private let lock = NSLock()

  @inline(__always)
  borrowing func exclusively(_ body: () -> Int) -> Int {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }
}

struct BehindPthreadMutex: ExclusivelyGuardedInteger, ~Copyable, @unchecked Sendable {
  // `@unchecked Sendable` is sound: the pointer never changes, and any thread may use the mutex.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() {
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inline(__always)
  borrowing func exclusively(_ body: () -> Int) -> Int {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}

struct BehindSerialQueue: ExclusivelyGuardedInteger, ~Copyable {
  private let queue = DispatchQueue(label: "benchmarks.serial")

  @inline(__always)
  borrowing func exclusively(_ body: () -> Int) -> Int { queue.sync { body() } }
}

/// An integer behind a concurrent queue; reads can overlap, and each write is a barrier.
struct BehindConcurrentQueue: GuardedInteger, ~Copyable {
  private let queue = DispatchQueue(label: "benchmarks.concurrent", attributes: .concurrent)

  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    queue.sync { body(integer.pointee) }
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    queue.sync(flags: .barrier) { body(&integer.pointee) }
  }
}

/// An integer behind a `pthread_rwlock_t` with default attributes; on glibc, such a lock prefers readers.
struct BehindPthreadReadWriteLock: GuardedInteger, ~Copyable, @unchecked Sendable {
  // `@unchecked Sendable` is sound: the pointer never changes, and any thread may use the lock.
  private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

  init() {
    lock.initialize(to: pthread_rwlock_t())
    pthread_rwlock_init(lock, nil)
  }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return body(integer.pointee)
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    pthread_rwlock_wrlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return body(&integer.pointee)
  }
}

struct BehindReadWriteLock<Lock: ReadWriteLock & ~Copyable>: GuardedInteger, ~Copyable {
  private let lock: Lock

  init(_ lock: consuming Lock) {
    self.lock = lock
  }

  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    lock.withReadLock { body(integer.pointee) }
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    lock.withWriteLock { body(&integer.pointee) }
  }
}

/// An integer in a `Protector` or another `LockProtector`.
struct BehindProtector<Lock: ReadWriteLock & ~Copyable>: GuardedInteger, ~Copyable {
  private let protector: LockProtector<Int, Lock>

  init(on lock: consuming Lock) {
    protector = LockProtector(0, lock: lock)
  }

  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    protector.withReadLock { body($0) }
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    protector.withWriteLock { body(&$0) }
  }
}

extension BehindProtector<BiasedReadWriteLock> {
  /// An integer in a `Protector`.
  init() {
    protector = Protector(0)
  }
}

/// An integer without a lock, which is correct on one thread, or while no thread writes.
///
/// Relaxed atomic operations read and write the integer, with the same machine instructions as plain
/// accesses. The optimizer can't remove these operations, and concurrent use has defined behavior.
struct Unguarded: GuardedInteger, ~Copyable {
  private let ownInteger = Atomic(0)

  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    body(ownInteger.load(ordering: .relaxed))
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    var value = ownInteger.load(ordering: .relaxed)
    let result = body(&value)
    ownInteger.store(value, ordering: .relaxed)
    return result
  }
}

/// An integer behind a lock whose code is called, like the code of a C library, instead of inlined.
///
/// The wrapper makes a lock of this package comparable with `pthread_mutex`, which can't be inlined.
struct Called<Subject: GuardedInteger & ~Copyable>: GuardedInteger, ~Copyable {
  private let subject: Subject

  init(_ subject: consuming Subject) {
    self.subject = subject
  }

  @inline(never)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    subject.read(integer, body)
  }

  @inline(never)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    subject.write(integer, body)
  }
}
