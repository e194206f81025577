internal import CAllocationCounter

/// The heap memory that some work allocates.
struct HeapUse {
  let allocations: Int
  /// The usable bytes that are still allocated after the work.
  let bytes: Int

  /// Whether this build can count; see CAllocationCounter.
  static var isCounted: Bool { allocation_counting_is_available() != 0 }

  /// Counts what `work` allocates, including what other threads allocate meanwhile.
  init(of work: () -> Void) {
    allocation_counting_start()
    work()
    let count = allocation_counting_stop()
    allocations = Int(count.allocations)
    bytes = Int(count.bytes)
  }
}
