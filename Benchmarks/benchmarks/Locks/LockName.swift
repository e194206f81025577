/// The contestants of the suite "locks", as the tables call them.
enum LockName {
  static let unfair = "UnfairLock"
  static let biased = "BiasedReadWriteLock"
  static let compact = "CompactReadWriteLock"
  static let spin = "SpinReadWriteLock"
  static let posix = "PosixReadWriteLock"
  static let dispatch = "DispatchReadWriteLock"
  static let compactProtector = "Protector on Compact"
  static let protector = "Protector"
  static let mutex = "Synchronization.Mutex"
  static let pthreadMutex = "pthread_mutex"
  static let pthreadReadWrite = "pthread_rwlock"
  static let nsLock = "NSLock"
  static let serialQueue = "DispatchQueue.sync"
  static let concurrentQueue = "DispatchQueue barrier"
  static let none = "no lock at all"
}
