/// A variable in plain memory that threads share, guarded by the lock under test.
///
/// It claims to be `Sendable` although it is not. The test relies on the lock to make this safe.
package final class Unguarded<Value>: @unchecked Sendable {
  package var value: Value

  package init(_ value: Value) {
    self.value = value
  }
}

/// Two plain variables that are equal whenever no thread is in a write section.
package final class Twins: @unchecked Sendable {
  private var first = 0
  private var second = 0

  package init() {}

  /// How often they were changed.
  package var count: Int { first }

  /// Whether they are equal.
  ///
  /// They are not while a thread writes.
  ///
  /// Call this in a read section.
  ///
  /// - Parameter pause: Called between the two reads, so that a writer could come between if the lock failed
  ///   to exclude it.
  package func agree(pause: () -> Void = {}) -> Bool {
    let first = first
    pause()
    return first == second
  }

  /// Changes both, so that they differ for a moment.
  ///
  /// Call this in a write section.
  ///
  /// - Parameter pause: Called while they differ, so that a reader could see that if the lock failed to
  ///   exclude it.
  package func change(pause: () -> Void = {}) {
    first += 1
    pause()
    second += 1
  }
}
