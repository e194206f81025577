internal import Dispatch

/// A field that is accessed only on a serial queue.
final class QueueField: FloatHolder, @unchecked Sendable {
  // `QueueField` is `@unchecked Sendable`, which is sound: `storage` is accessed only on `queue`.
  private let queue = DispatchQueue(label: "benchmarks.field")
  @exclusivity(unchecked) private var storage: Float = 0

  var value: Float {
    get { queue.sync { storage } }
    set { queue.sync { storage = newValue } }
  }
}
