internal import CAllocationCounter

/// What a piece of work takes from the heap.
struct HeapUse {
  let allocations: Int
  /// What is still taken after it, in bytes that the owners may use.
  let bytes: Int

  /// Whether this build counts; see CAllocationCounter.
  static var isCounted: Bool { allocation_counting_is_available() != 0 }

  /// What `work` takes, with all that other threads of the process do meanwhile.
  init(of work: () -> Void) {
    allocation_counting_start()
    work()
    let count = allocation_counting_stop()
    allocations = Int(count.allocations)
    bytes = Int(count.bytes)
  }
}
