internal import Synchronization

/// An atomic flag whose operations are relaxed.
///
/// A test uses it to stop a loop around the lock under test. The flag orders no other memory accesses, so
/// ThreadSanitizer detects an ordering that the lock fails to provide.
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
