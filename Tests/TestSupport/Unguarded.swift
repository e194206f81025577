/// A variable without synchronisation of its own, which threads access while they hold the lock under test.
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

  /// How often the variables were changed.
  package var count: Int { first }

  /// Whether the variables are equal, as they are while no thread writes.
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

  /// Changes both variables, so that they differ for a moment.
  ///
  /// Call this in a write section.
  ///
  /// - Parameter pause: Called while the variables differ, so that a reader could see the difference if the
  ///   lock failed to exclude the reader.
  package func change(pause: () -> Void = {}) {
    first += 1
    pause()
    second += 1
  }
}
