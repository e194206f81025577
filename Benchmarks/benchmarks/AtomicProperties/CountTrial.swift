internal import BenchmarkHarness
internal import Synchronization

/// Measures how long it takes to read or increment a number.
final class CountTrial<Holder: CountHolder>: Sendable {
  private let holder: Holder
  private let access: CountAccess
  /// The memory into which the loop stores each number that it reads, so that the optimiser keeps the reads;
  /// see `WordTrial`.
  private let end = IsolatedBox(Atomic<Int>(0))

  init(_ holder: Holder, _ access: CountAccess) {
    self.holder = holder
    self.access = access
  }

  /// Makes a contestant for the harness.
  func contestant(named name: String) -> Contestant {
    Contestant(name: name) { _, count in
      switch self.access {
      case .read: Self.read(self.holder, self.end.pointer, count)
      case .increment: Self.increment(self.holder, count)
      }
    }
  }

  // MARK: The loops that are measured
  // Each measured loop is compiled separately for each type of holder, with the access inlined. The functions
  // that contain the loops are not inlined, so that they can be found in the machine code.

  @inline(never)
  private static func read(
    _ holder: Holder, _ sink: UnsafeMutablePointer<Atomic<Int>>, _ count: Int
  ) -> Int {
    for _ in 0..<count {
      sink.pointee.store(holder.count, ordering: .relaxed)
      atomicMemoryFence(ordering: .acquiring)
    }
    return count
  }

  @inline(never)
  private static func increment(_ holder: Holder, _ count: Int) -> Int {
    for _ in 0..<count {
      holder.increment()
      atomicMemoryFence(ordering: .acquiringAndReleasing)
    }
    return count
  }
}
