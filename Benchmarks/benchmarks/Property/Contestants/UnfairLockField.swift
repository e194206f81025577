internal import UnfairLocks

/// A field behind an `UnfairLock`.
final class UnfairLockField: FloatHolder, @unchecked Sendable {
  // Sendable: `storage` is touched only under `lock`, which is also why its exclusivity need not be checked.
  private let lock = UnfairLock()
  @exclusivity(unchecked) private var storage: Float = 0

  var value: Float {
    get { lock.withLock { storage } }
    set { lock.withLock { storage = newValue } }
  }
}
