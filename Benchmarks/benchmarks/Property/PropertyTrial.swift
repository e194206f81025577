internal import BenchmarkHarness
internal import Synchronization

/// A property that is read or written over and over.
final class PropertyTrial<Holder: FloatReader>: Sendable {
  private let holder: Holder
  /// Where values go to and come from.
  ///
  /// A relaxed atomic operation is a plain instruction that the optimiser does not leave out. The fence after
  /// it keeps the access to the property in the loop; it is no instruction on x86-64.
  private let end = IsolatedBox(Atomic<UInt32>(0))

  init(_ holder: Holder) {
    self.holder = holder
  }

  /// Reads the property; as the harness wants it.
  ///
  /// - Parameter accesses: How often an operation reads it.
  func reading(named name: String, accesses: Int = 1) -> Contestant {
    Contestant(name: name) { _, count in
      Self.read(self.holder, self.end.pointer, count * accesses)
      return count
    }
  }

  // MARK: The loops that are measured
  // One copy for each holder, with the access inlined; not inlined themselves, to be found in the machine
  // code.

  @inline(never)
  private static func read(_ holder: Holder, _ sink: UnsafeMutablePointer<Atomic<UInt32>>, _ count: Int) {
    for _ in 0..<count {
      sink.pointee.store(holder.value.bitPattern, ordering: .relaxed)
      atomicMemoryFence(ordering: .acquiring)
    }
  }
}

extension PropertyTrial where Holder: FloatHolder {
  /// Reads or writes the property; as the harness wants it.
  func contestant(named name: String, _ access: FloatAccess) -> Contestant {
    switch access {
    case .read: reading(named: name)
    case .write: writing(named: name)
    }
  }

  private func writing(named name: String) -> Contestant {
    Contestant(name: name) { _, count in
      Self.write(self.holder, self.end.pointer, count)
      return count
    }
  }

  @inline(never)
  private static func write(_ holder: Holder, _ source: UnsafeMutablePointer<Atomic<UInt32>>, _ count: Int) {
    for _ in 0..<count {
      holder.value = Float(bitPattern: source.pointee.load(ordering: .relaxed))
      atomicMemoryFence(ordering: .releasing)
    }
  }
}
