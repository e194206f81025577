internal import UnfairLocks

/// A field behind an `UnfairLock`.
final class UnfairLockField: FloatHolder, @unchecked Sendable {
  // `UnfairLockField` is `@unchecked Sendable`, which is sound: `storage` is accessed only under `lock`. So
  // accesses to `storage` can't overlap, and the exclusivity check is not needed.
  private let lock = UnfairLock()
  @exclusivity(unchecked) private var storage: Float = 0

  var value: Float {
    get { lock.withLock { storage } }
    set { lock.withLock { storage = newValue } }
  }
}
