/// One value for each worker thread, each on cache lines of its own.
///
/// The distance between two values is a multiple of `CacheLines.alignment`.
package final class PerWorker<Value: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // `PerWorker` is `@unchecked Sendable`, which is sound because each worker uses only its own value. Other
  // threads must not use a worker's value until they have waited for the end of the worker's job.
  private let memory: UnsafeMutableRawPointer
  private let count: Int
  private let stride: Int

  /// Allocates memory for `count` workers, and sets each worker's value to `value`.
  package init(count: Int, repeating value: Value) {
    self.count = count
    stride = CacheLines.size(holding: MemoryLayout<Value>.size)
    memory = .allocate(byteCount: count * stride, alignment: CacheLines.alignment)
    for worker in 0..<count {
      self[worker] = value
    }
  }

  deinit {
    memory.deallocate()
  }

  /// The value of one worker.
  package subscript(worker: Int) -> Value {
    get { memory.load(fromByteOffset: offset(of: worker), as: Value.self) }
    set { memory.storeBytes(of: newValue, toByteOffset: offset(of: worker), as: Value.self) }
  }

  /// The values of all workers.
  package var values: [Value] {
    (0..<count).map { self[$0] }
  }

  private func offset(of worker: Int) -> Int {
    precondition(worker >= 0 && worker < count, "no worker \(worker)")
    return worker * stride
  }
}
