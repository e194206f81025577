internal import BenchmarkHarness

/// Measures how long it takes to add up many integers.
///
/// The sum accumulates in a local variable or in a property. The compiler vectorises the loop for a local
/// variable and for a stored field of a final class. For a property behind a method table or a lock, the loop
/// adds one integer at a time. Benchmarks/README.md names the vector instructions to look for.
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
