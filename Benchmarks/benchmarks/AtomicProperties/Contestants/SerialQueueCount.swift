internal import Dispatch

/// A number that is accessed only in `DispatchQueue.sync`.
final class SerialQueueCount: CountHolder, @unchecked Sendable {
  private let queue = DispatchQueue(label: "benchmarks.count")
  // Sharing `storage` between threads is sound, also without an exclusivity check: `storage` is used only on
  // the serial queue, so accesses can't overlap.
  @exclusivity(unchecked) private var storage = 0

  var count: Int { queue.sync { storage } }

  func increment() { queue.sync { storage += 1 } }
}
