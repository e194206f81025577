internal import BenchmarkHarness

/// Counts what things take from the heap.
enum MemoryTrial {
  /// The bytes of one of many values that stand side by side, with what each has elsewhere on the heap.
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
      // Not what the heap rounds up for all places together: that depends on how many there are.
      return count * MemoryLayout<Value>.stride + use.bytes
    }
  }

  /// The bytes of one of many threads that are alive at the same time; stacks are not on the heap and don't
  /// count.
  ///
  /// Counted once, because what threads leave behind serves later ones.
  static func bytesOfThreads(named name: String, _ work: @escaping @Sendable () -> Void) -> Contestant {
    let result = ThreadMemory(work)
    return Contestant(name: name) { _, count in result.bytesOfThread * count }
  }

  /// The allocations of one access.
  static func allocations(named name: String, of access: @escaping @Sendable () -> Void) -> Contestant {
    Contestant(name: name) { _, count in
      HeapUse {
        for _ in 0..<count { access() }
      }.allocations
    }
  }
}
