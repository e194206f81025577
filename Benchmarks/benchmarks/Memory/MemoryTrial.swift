internal import BenchmarkHarness

/// Measures the heap memory of values and accesses.
enum MemoryTrial {
  /// The bytes of one of many values in an array, including what each allocates elsewhere.
  static func bytes<Value: ~Copyable>(named name: String, of make: @escaping @Sendable () -> Value)
    -> Contestant
  {
    Contestant(name: name) { _, count in
      let values = UnsafeMutablePointer<Value>.allocate(capacity: count)
      let use = HeapUse {
        for index in 0..<count {
          (values + index).initialize(to: make())
        }
      }
      values.deinitialize(count: count)
      values.deallocate()
      // The places are counted by their stride, because the heap's rounding depends on their number.
      return count * MemoryLayout<Value>.stride + use.bytes
    }
  }

  /// The heap bytes of one of many threads that are alive at the same time.
  ///
  /// Stacks are not on the heap and don't count.
  ///
  /// It is measured once, because later threads reuse memory of earlier ones.
  static func bytesOfThreads(named name: String, _ work: @escaping @Sendable () -> Void) -> Contestant {
    let result = ThreadMemory(work)
    return Contestant(name: name) { _, count in result.bytesOfThread * count }
  }

  /// The number of allocations of one access.
  static func allocations(named name: String, of access: @escaping @Sendable () -> Void) -> Contestant {
    Contestant(name: name) { _, count in
      HeapUse {
        for _ in 0..<count { access() }
      }.allocations
    }
  }
}
