internal import BenchmarkHarness

/// Measures a loop that multiplies many numbers by a property, or by a local copy of the property.
///
/// The compiler vectorises the loop for a local copy and for a stored field of a final class.
/// Benchmarks/README.md names the vector instructions to look for.
final class ScalingTrial<Holder: FloatHolder>: @unchecked Sendable {
  private let holder: Holder
  // `ScalingTrial` is `@unchecked Sendable`, which is sound: the suite uses the numbers on one thread at a
  // time.
  private let numbers = UnsafeMutableBufferPointer<Float>.allocate(capacity: Numbers.count)

  init(_ holder: Holder) {
    // The factor 1 leaves the numbers unchanged, so that none becomes 0 or infinite.
    holder.value = 1
    self.holder = holder
    numbers.initialize(repeating: Float(CommandLine.arguments.count))
  }

  deinit {
    numbers.deallocate()
  }

  func byProperty(named name: String) -> Contestant {
    contestant(named: name, Self.scaleByProperty)
  }

  func byLocal(named name: String) -> Contestant {
    contestant(named: name, Self.scaleByLocal)
  }

  private func contestant(
    named name: String,
    _ scale: @escaping @Sendable (UnsafeMutableBufferPointer<Float>, Holder) -> Void
  ) -> Contestant {
    Contestant(name: name) { _, count in
      for _ in 0..<(count / Numbers.count) {
        scale(self.numbers, self.holder)
      }
      return Int(self.numbers[0])
    }
  }

  // MARK: The loops that are measured

  @inline(never)
  private static func scaleByProperty(_ numbers: UnsafeMutableBufferPointer<Float>, _ holder: Holder) {
    for index in numbers.indices {
      numbers[index] *= holder.value
    }
  }

  @inline(never)
  private static func scaleByLocal(_ numbers: UnsafeMutableBufferPointer<Float>, _ holder: Holder) {
    let factor = holder.value
    for index in numbers.indices {
      numbers[index] *= factor
    }
  }
}
