internal import Dispatch

/// A number that is accessed only in `DispatchQueue.sync`.
final class SerialQueueCount: CountHolder, @unchecked Sendable {
  // `SerialQueueCount` is `@unchecked Sendable`, which is sound: `storage` is accessed only on `queue`.
  private let queue = DispatchQueue(label: "benchmarks.count")
  @exclusivity(unchecked) private var storage = 0

  var count: Int { queue.sync { storage } }

  func increment() { queue.sync { storage += 1 } }
}
