internal import UnfairLocks

/// A field behind an `UnfairLock`.
final class UnfairLockField: FloatHolder, @unchecked Sendable {
  // `UnfairLockField` is `@unchecked Sendable`, which is sound: `storage` is accessed only under `lock`.
  // Accesses to `storage` therefore can't overlap, so it needs no exclusivity check.
  private let lock = UnfairLock()
  @exclusivity(unchecked) private var storage: Float = 0

  var value: Float {
    get { lock.withLock { storage } }
    set { lock.withLock { storage = newValue } }
  }
}
