internal import Protectors

/// A field in a `Protector`.
final class ProtectorField: FloatHolder {
  private let storage = Protector<Float>(0)

  var value: Float {
    get { storage.withReadLock { $0 } }
    set { storage.withWriteLock { $0 = newValue } }
  }
}
