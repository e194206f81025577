/// A variable without synchronisation of its own, which threads access while they hold the lock under test.
///
/// Safe to share only because the lock under test orders all accesses. If the lock fails, there is a data
/// race, which ThreadSanitizer reports.
package final class Unguarded<Value>: @unchecked Sendable {
  package var value: Value

  package init(_ value: Value) {
    self.value = value
  }
}

/// Two plain variables that are equal except while a thread changes them in a write section.
package final class Twins: @unchecked Sendable {
  private var first = 0
  private var second = 0

  package init() {}

  /// The number of times that the variables have been changed.
  ///
  /// The caller must be in a read section or a write section, or must have joined all other threads.
  package var count: Int { first }

  /// Whether the variables are equal; `false` means that the lock has not excluded a writer.
  ///
  /// The caller must be in a read section.
  ///
  /// - Parameter pause: Called between the two reads, to give a writer that the lock fails to exclude time to
  ///   change the variables.
  package func agree(pause: () -> Void = {}) -> Bool {
    let first = first
    pause()
    return first == second
  }

  /// Increments both variables, one after the other, so that they differ briefly.
  ///
  /// The caller must be in a write section.
  ///
  /// - Parameter pause: Called while the variables differ, to give a reader that is not excluded time
  ///   to see the difference.
  package func change(pause: () -> Void = {}) {
    first += 1
    pause()
    second += 1
  }
}
