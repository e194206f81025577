internal import BenchmarkHarness
internal import Synchronization

/// Measures the loops of `PropertyTrial` with a local variable, to show what the loops themselves cost.
final class LocalTrial: Sendable {
  private let end = IsolatedBox(Atomic<UInt32>(0))

  func contestant(named name: String, _ access: FloatAccess) -> Contestant {
    switch access {
    case .read:
      Contestant(name: name) { _, count in
        Self.read(Float(count), self.end.pointer, count)
        return count
      }
    case .write: Contestant(name: name) { _, count in Int(Self.write(self.end.pointer, count)) }
    }
  }

  @inline(never)
  private static func read(_ value: Float, _ sink: UnsafeMutablePointer<Atomic<UInt32>>, _ count: Int) {
    for _ in 0..<count {
      sink.pointee.store(value.bitPattern, ordering: .relaxed)
      atomicMemoryFence(ordering: .acquiring)
    }
  }

  @inline(never)
  private static func write(_ source: UnsafeMutablePointer<Atomic<UInt32>>, _ count: Int) -> UInt32 {
    var value: Float = 0
    for _ in 0..<count {
      value = Float(bitPattern: source.pointee.load(ordering: .relaxed))
      atomicMemoryFence(ordering: .releasing)
    }
    return value.bitPattern
  }
}
