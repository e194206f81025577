internal import AtomicProperties
internal import Synchronization

// The objects themselves, as a client has them in a `let`.

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

/// A `QueueProperty` that is changed in a piece of work of its queue.
final class ModifiedQueueCount: CountHolder {
  private let property = QueueProperty(0)

  var count: Int { property.value }

  func increment() { property.modify { $0 += 1 } }
}
