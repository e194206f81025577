internal import CAllocationCounter

/// The heap memory that a piece of work allocates.
struct HeapUse {
  let allocations: Int
  /// The usable bytes of the blocks allocated during the work, minus those of the blocks freed.
  let bytes: Int

  /// Whether this build can count allocations; see `CAllocationCounter.h`.
  static var isCounted: Bool { allocation_counting_is_available() != 0 }

  /// Counts the allocations during `work`, including those of other threads; two counts must not overlap.
  init(of work: () -> Void) {
    allocation_counting_start()
    work()
    let count = allocation_counting_stop()
    allocations = Int(count.allocations)
    bytes = Int(count.bytes)
  }
}
