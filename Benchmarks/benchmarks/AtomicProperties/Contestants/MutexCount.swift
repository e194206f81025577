internal import Synchronization

/// A number in a `Synchronization.Mutex`.
final class MutexCount: CountHolder {
  private let storage = Mutex(0)

  var count: Int { storage.withLock { $0 } }

  func increment() { storage.withLock { $0 += 1 } }
}
