internal import Synchronization

/// A flag that threads set and look at, and that orders no memory.
///
/// Where the flag stops a loop around the lock under test, nothing but the lock can be what makes memory visible, and
/// ThreadSanitizer sees an ordering that the lock fails to give.
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
