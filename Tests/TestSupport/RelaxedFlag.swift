internal import Synchronization

/// A flag whose operations are relaxed.
///
/// If such a flag stops a loop around the lock under test, only the lock can order memory. So ThreadSanitizer
/// detects an ordering that the lock fails to provide.
package final class RelaxedFlag: Sendable {
  private let value = Atomic(false)

  package init() {}

  package var isSet: Bool {
    value.load(ordering: .relaxed)
  }

  package func set() {
    value.store(true, ordering: .relaxed)
  }
}
