internal import BenchmarkHarness
internal import Synchronization

/// A number that is read over and over, long after it was made.
final class WordTrial<Holder: WordHolder>: Sendable {
  private let holder: Holder
  /// Where the number goes.
  ///
  /// A relaxed store is a plain instruction that the optimiser does not leave out; the fence after it is no
  /// instruction on x86-64.
  private let end = IsolatedBox(Atomic<UInt64>(0))

  init(_ holder: Holder) {
    self.holder = holder
  }

  /// As the harness wants it.
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

  /// What is measured, with the call: one copy for each holder, with the access inlined.
  ///
  /// In a loop without a call the compiler unrolls a stored field and takes a static `let` out of it
  /// altogether, which no program can do whose accesses lie apart.
  @inline(never)
  private static func access(_ holder: Holder) -> UInt64 { holder.word }
}
