/// A variable in plain memory that threads share: what the lock under test has to guard.
///
/// It claims to be `Sendable` and is not; the claim is the test's, that the lock makes it true.
package final class Unguarded<Value>: @unchecked Sendable {
  package var value: Value

  package init(_ value: Value) {
    self.value = value
  }
}

/// Two plain variables that are equal whenever nobody is in a write section.
package final class Twins: @unchecked Sendable {
  private var first = 0
  private var second = 0

  package init() {}

  /// How often they were changed.
  package var count: Int { first }

  /// Whether they are equal, which they are not while a writer is at work.
  ///
  /// For a read section.
  ///
  /// - Parameter pause: Called between the two looks, to let a writer in that is not kept out.
  package func agree(pause: () -> Void = {}) -> Bool {
    let first = first
    pause()
    return first == second
  }

  /// Makes them differ for a moment.
  ///
  /// For a write section.
  ///
  /// - Parameter pause: Called while they differ, to let a reader in that is not kept out.
  package func change(pause: () -> Void = {}) {
    first += 1
    pause()
    second += 1
  }
}
