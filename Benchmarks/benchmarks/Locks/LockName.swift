internal import BenchmarkHarness

/// The names of the implementations in the suite "locks", as its result tables show them.
enum LockName {
  static let unfair = "UnfairLock"
  static let biased = "BiasedReadWriteLock"
  static let compact = "CompactReadWriteLock"
  static let spin = "SpinReadWriteLock"
  static let posix = "PosixReadWriteLock"
  static let dispatch = "DispatchReadWriteLock"
  static let compactProtector = "Protector on Compact"
  static let protector = "Protector"
  static let countedProtector = "Protector, all counted"
  static let slotsProtector = "Protector, all in slots"
  static let mutex = "Synchronization.Mutex"
  static let pthreadMutex = "pthread_mutex"
  static let pthreadReadWrite = "pthread_rwlock"
  static let nsLock = "NSLock"
  static let serialQueue = "DispatchQueue.sync"
  static let concurrentQueue = "DispatchQueue barrier"
  static let none = "no lock at all"

  /// The name of a lock in the wrapper `Called`, which calls the lock's code instead of inlining it.
  static func called(_ name: String) -> String { "\(name), called" }
}

/// The categories of locks: those whose code is inlined, and those whose code is called.
///
/// No claim about performance compares an inlined lock with a called one.
extension Category {
  static let inlined = Category("inlined", "the quick path is compiled into the loop")
  static let called = Category("called", "each operation calls a function that the compiler can't look into")
}
