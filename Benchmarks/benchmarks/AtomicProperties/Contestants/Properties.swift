internal import AtomicProperties
internal import Synchronization

// The package's property wrappers are used here as ordinary objects, without the `@` syntax.

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

/// A number in a `QueueProperty`, changed by `modify`.
final class ModifiedQueueCount: CountHolder {
  private let property = QueueProperty(0)

  var count: Int { property.value }

  func increment() { property.modify { $0 += 1 } }
}
