internal import BenchmarkHarness

/// Measures how long it takes to add up many floating-point numbers.
///
/// The sum accumulates in a property, in a local variable or in a SIMD vector. The optimiser must not
/// vectorise the first two loops: vectors add the numbers in another order, which can change the rounded sum.
final class SumTrial: Sendable {
  private let numbers = (0..<Numbers.count).map { Float($0 % 7) }

  /// Makes a `Contestant` that adds up many numbers.
  ///
  /// - Parameters:
  ///   - name: The name of the implementation in result tables.
  ///   - sum: Returns the sum of the numbers in its argument.
  private func contestant(named name: String, _ sum: @escaping @Sendable ([Float]) -> Float) -> Contestant {
    Contestant(name: name) { _, count in
      var total: Float = 0
      for _ in 0..<(count / Numbers.count) {
        total += sum(self.numbers)
      }
      return Int(total.bitPattern)
    }
  }

  func intoLocal(named name: String) -> Contestant {
    contestant(named: name, Self.scalarSum)
  }

  func intoProperty(of holder: some FloatHolder, named name: String) -> Contestant {
    contestant(named: name) { numbers in
      Self.sum(numbers, into: holder)
      return holder.value
    }
  }

  func vectorised<Vector: SIMD>(by type: Vector.Type, named name: String) -> Contestant
  where Vector.Scalar == Float, Vector: Sendable {
    contestant(named: name) { Self.vectorSum($0, type) }
  }

  // MARK: The loops that are measured

  @inline(never)
  private static func scalarSum(_ numbers: [Float]) -> Float {
    var sum: Float = 0
    for number in numbers {
      sum += number
    }
    return sum
  }

  @inline(never)
  private static func sum(_ numbers: [Float], into holder: some FloatHolder) {
    holder.value = 0
    for number in numbers {
      holder.value += number
    }
  }

  @inline(never)
  @_specialize(where Vector == SIMD2<Float>)
  @_specialize(where Vector == SIMD4<Float>)
  @_specialize(where Vector == SIMD8<Float>)
  private static func vectorSum<Vector: SIMD>(_ numbers: [Float], _ type: Vector.Type) -> Float
  where Vector.Scalar == Float {
    numbers.withUnsafeBytes { bytes in
      let vectors = bytes.bindMemory(to: Vector.self)
      var sum = Vector()
      for vector in vectors {
        sum += vector
      }
      return sum.indices.reduce(0) { $0 + sum[$1] }
    }
  }
}
