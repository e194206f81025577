internal import BenchmarkHarness

/// Measures the memory of values and of threads, and counts the heap allocations of operations on values.
enum MemoryTrial {
  /// Measures the bytes of a value in a large array, including the memory that the value allocates elsewhere.
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
      // The array's memory is the stride times the number of elements. The size of the array's heap block is
      // not used, because the heap rounds it differently for each number of elements.
      return count * MemoryLayout<Value>.stride + use.bytes
    }
  }

  /// Measures the average heap memory, in bytes, of threads that have each run `work` and are still alive.
  ///
  /// Stacks are not on the heap and don't count. The bytes are measured only once, because later threads
  /// reuse the memory of earlier threads.
  static func bytesOfThreads(named name: String, _ work: @escaping @Sendable () -> Void) -> Contestant {
    let result = ThreadMemory(work)
    return Contestant(name: name) { _, count in result.bytesOfThread * count }
  }

  /// Counts the allocations of an access.
  ///
  /// The result is the least of three counts, because other threads may allocate during a count.
  static func allocations(named name: String, of access: @escaping @Sendable () -> Void) -> Contestant {
    Contestant(name: name) { _, count in
      (0..<3).map { _ in
        HeapUse {
          for _ in 0..<count { access() }
        }.allocations
      }.min()!
    }
  }
}
