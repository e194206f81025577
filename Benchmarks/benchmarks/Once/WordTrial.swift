internal import BenchmarkHarness
internal import Synchronization

/// Measures repeated reads of a number that has already been initialised.
final class WordTrial<Holder: WordHolder>: Sendable {
  private let holder: Holder
  /// The memory into which the loop stores each number that it reads.
  ///
  /// A relaxed store is a plain instruction that the optimiser does not remove. The fence after each store
  /// keeps the next read in its place, and emits nothing on x86-64.
  private let end = IsolatedBox(Atomic<UInt64>(0))

  init(_ holder: Holder) {
    self.holder = holder
  }

  /// Makes a contestant for the harness.
  func contestant(named name: String) -> Contestant {
    Contestant(name: name) { _, count in Self.read(self.holder, self.end.pointer, count) }
  }

  private static func read(
    _ holder: Holder, _ sink: UnsafeMutablePointer<Atomic<UInt64>>, _ count: Int
  ) -> Int {
    for _ in 0..<count {
      sink.pointee.store(access(holder), ordering: .relaxed)
      atomicMemoryFence(ordering: .acquiring)
    }
    return count
  }

  /// Reads the number; the benchmark measures this call.
  ///
  /// This function is compiled separately for each type of holder, with the access inlined.
  ///
  /// The function itself is not inlined. Otherwise the compiler would unroll reads of a stored field, and
  /// move reads of a static `let` out of the loop. In real programs, other code between the accesses
  /// prevents that.
  @inline(never)
  private static func access(_ holder: Holder) -> UInt64 { holder.word }
}
