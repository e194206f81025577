internal import Dispatch

/// A field that is accessed only on a serial queue.
final class QueueField: FloatHolder, @unchecked Sendable {
  private let queue = DispatchQueue(label: "benchmarks.field")
  // `storage` is used only on the serial queue, so accesses can't overlap. This makes both
  // `@exclusivity(unchecked)` and the class's `@unchecked Sendable` sound.
  @exclusivity(unchecked) private var storage: Float = 0

  var value: Float {
    get { queue.sync { storage } }
    set { queue.sync { storage = newValue } }
  }
}
