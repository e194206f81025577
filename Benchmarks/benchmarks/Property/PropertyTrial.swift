internal import BenchmarkHarness
internal import Synchronization

/// Measures how long it takes to read or write a property.
final class PropertyTrial<Holder: FloatReader>: Sendable {
  private let holder: Holder
  /// The memory that the loops copy values to or from.
  ///
  /// A relaxed atomic operation is a plain instruction that the optimiser does not remove. The fence after
  /// the operation keeps the access to the property in the loop, and emits nothing on x86-64.
  private let end = IsolatedBox(Atomic<UInt32>(0))

  init(_ holder: Holder) {
    self.holder = holder
  }

  /// Makes a `Contestant` that reads the property.
  ///
  /// - Parameters:
  ///   - name: The name of the implementation in result tables.
  ///   - accesses: The number of times that one operation reads the property.
  func reading(named name: String, accesses: Int = 1) -> Contestant {
    Contestant(name: name) { _, count in
      Self.read(self.holder, self.end.pointer, count * accesses)
      return count
    }
  }

  // MARK: The loops that are measured
  // Each measured loop is compiled separately for each type of holder, with the access inlined. The functions
  // that contain the loops are not inlined, so that they can be found in the machine code.

  @inline(never)
  private static func read(_ holder: Holder, _ sink: UnsafeMutablePointer<Atomic<UInt32>>, _ count: Int) {
    for _ in 0..<count {
      sink.pointee.store(holder.value.bitPattern, ordering: .relaxed)
      atomicMemoryFence(ordering: .acquiring)
    }
  }
}

extension PropertyTrial where Holder: FloatHolder {
  /// Makes a `Contestant` that reads or writes the property.
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
