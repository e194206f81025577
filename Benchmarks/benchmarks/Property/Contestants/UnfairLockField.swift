internal import UnfairLocks

/// A field behind an `UnfairLock`.
final class UnfairLockField: FloatHolder, @unchecked Sendable {
  private let lock = UnfairLock()
  // `storage` is used only while `lock` is held, so accesses can't overlap. This makes both
  // `@exclusivity(unchecked)` and the class's `@unchecked Sendable` sound.
  @exclusivity(unchecked) private var storage: Float = 0

  var value: Float {
    get { lock.withLock { storage } }
    set { lock.withLock { storage = newValue } }
  }
}
