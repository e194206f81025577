internal import AtomicProperties
internal import Synchronization

// The package's property wrappers are classes, so these extensions make them conform to `CountHolder`
// directly.

extension AtomicProperty<Int>: CountHolder {
  var count: Int { value }

  func increment() { value += 1 }
}

extension LockFreeProperty<Int>: CountHolder {
  var count: Int { value }

  func increment() { wrappingAdd(1, ordering: .relaxed) }
}

extension QueueProperty<Int>: CountHolder {
  var count: Int { value }

  func increment() { value += 1 }
}

/// A number in a `QueueProperty`, incremented by a closure on the queue and not by a compound assignment.
final class ModifiedQueueCount: CountHolder {
  private let property = QueueProperty(0)

  var count: Int { property.value }

  func increment() { property.modify { $0 += 1 } }
}
