internal import UnfairLocks

/// A field behind an `UnfairLock`.
final class UnfairLockField: FloatHolder, @unchecked Sendable {
  private let lock = UnfairLock()
  // Sharing `storage` between threads is sound, also without an exclusivity check: `storage` is used only
  // while `lock` is held, so accesses can't overlap.
  @exclusivity(unchecked) private var storage: Float = 0

  var value: Float {
    get { lock.withLock { storage } }
    set { lock.withLock { storage = newValue } }
  }
}
