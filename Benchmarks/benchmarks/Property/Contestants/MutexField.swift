internal import Synchronization

/// A field in a `Synchronization.Mutex`.
final class MutexField: FloatHolder {
  private let storage = Mutex<Float>(0)

  var value: Float {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }
}
