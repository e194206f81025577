internal import Dispatch

/// A number that is accessed only in `DispatchQueue.sync`.
final class SerialQueueCount: CountHolder, @unchecked Sendable {
  private let queue = DispatchQueue(label: "benchmarks.count")
  // `storage` is used only on the serial queue, so accesses can't overlap. This makes both
  // `@exclusivity(unchecked)` and the class's `@unchecked Sendable` sound.
  @exclusivity(unchecked) private var storage = 0

  var count: Int { queue.sync { storage } }

  func increment() { queue.sync { storage += 1 } }
}
