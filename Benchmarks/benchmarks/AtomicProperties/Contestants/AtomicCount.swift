internal import Synchronization

/// A number in a `Synchronization.Atomic`.
final class AtomicCount: CountHolder {
  private let storage = Atomic(0)

  var count: Int { storage.load(ordering: .acquiring) }

  func increment() { storage.wrappingAdd(1, ordering: .relaxed) }
}
