internal import BenchmarkHarness
internal import Synchronization

/// A property that is read or written over and over.
final class PropertyTrial<Holder: FloatHolder>: Sendable {
  private let holder: Holder
  private let access: FloatAccess
  /// Where values go to and come from.
  ///
  /// A relaxed atomic operation is a plain instruction that the optimiser does not leave out. The fence after it keeps
  /// the access to the property in the loop; it is no instruction on x86-64.
  private let end = IsolatedBox(Atomic<UInt32>(0))

  init(_ holder: Holder, _ access: FloatAccess) {
    self.holder = holder
    self.access = access
  }

  /// As the harness wants it.
  func contestant(named name: String) -> Contestant {
    Contestant(name: name, batch: operate)
  }

  @Sendable
  private func operate(worker: Int, count: Int) -> Int {
    switch access {
    case .read: Self.read(holder, end.pointer, count)
    case .write: Self.write(holder, end.pointer, count)
    }
  }

  // MARK: The loops that are measured
  // One copy for each holder, with the access inlined; not inlined themselves, to be found in the machine code.

  @inline(never)
  private static func read(
    _ holder: Holder, _ sink: UnsafeMutablePointer<Atomic<UInt32>>, _ count: Int
  ) -> Int {
    for _ in 0..<count {
      sink.pointee.store(holder.value.bitPattern, ordering: .relaxed)
      atomicMemoryFence(ordering: .acquiring)
    }
    return count
  }

  @inline(never)
  private static func write(
    _ holder: Holder, _ source: UnsafeMutablePointer<Atomic<UInt32>>, _ count: Int
  ) -> Int {
    for _ in 0..<count {
      holder.value = Float(bitPattern: source.pointee.load(ordering: .relaxed))
      atomicMemoryFence(ordering: .releasing)
    }
    return count
  }
}
