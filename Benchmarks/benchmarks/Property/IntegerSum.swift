internal import BenchmarkHarness

/// Measures how long it takes to add up many integers, in a property and in a local variable.
///
/// The machine code (see Benchmarks/README.md) adds several integers at a time in a local variable, or in a
/// stored field of a final class. Behind a method table or a lock, it adds one integer at a time.
enum IntegerSum {
  private static let numbers = (0..<Numbers.count).map { Int32($0 % 7) }

  static func local(named name: String) -> Contestant {
    contestant(named: name, sum)
  }

  static func property(_ holder: some IntegerHolder, named name: String) -> Contestant {
    contestant(named: name) { numbers in
      sum(numbers, into: holder)
      return holder.value
    }
  }

  /// Makes a `Contestant` that adds up many integers.
  ///
  /// - Parameters:
  ///   - name: The name of the implementation in result tables.
  ///   - sum: Returns the sum of the numbers in its argument.
  private static func contestant(
    named name: String, _ sum: @escaping @Sendable ([Int32]) -> Int32
  ) -> Contestant {
    let numbers = numbers
    return Contestant(name: name) { _, count in
      var total: Int32 = 0
      for _ in 0..<(count / Numbers.count) {
        total &+= sum(numbers)
      }
      return Int(total)
    }
  }

  // MARK: The loops that are measured

  @inline(never)
  private static func sum(_ numbers: [Int32]) -> Int32 {
    var sum: Int32 = 0
    for number in numbers {
      sum &+= number
    }
    return sum
  }

  @inline(never)
  private static func sum(_ numbers: [Int32], into holder: some IntegerHolder) {
    holder.value = 0
    for number in numbers {
      holder.value &+= number
    }
  }
}
