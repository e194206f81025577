// A test that imports `TestSupport` also gets the threads, monitors, clocks and generators of
// `ThreadSupport`.
@_exported public import ThreadSupport

/// The seed of all random choices of a test run.
///
/// It differs in each run. A failure prints it as an environment variable, so that the run can be repeated:
/// `INTERLOCK_SEED=0x1234 swift test`. The choices are then the same; the threads' interleaving is not.
package struct Seed: Sendable, CustomStringConvertible {
  private let value: UInt64

  /// The seed of this run.
  package static let current = Seed(environment: Environment["INTERLOCK_SEED"])

  /// Parses a seed.
  ///
  /// - Parameter text: Decimal, or hexadecimal after `0x`. `nil` makes a random seed, and any other text
  ///   traps.
  private init(environment text: String?) {
    guard let text else {
      value = .random(in: 0...UInt64.max)
      return
    }
    let parsed =
      text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    guard let parsed else {
      fatalError("INTERLOCK_SEED is '\(text)', which is no 64-bit number")
    }
    value = parsed
  }

  /// The random number generator for the choices of one thread; each value of `stream` has its own generator.
  package func generator(stream: Int) -> SplitMix64 {
    var mixer = SplitMix64(state: value)
    return SplitMix64(state: mixer.next() ^ (UInt64(bitPattern: Int64(stream)) &* 0x9e37_79b9_7f4a_7c15))
  }

  package var description: String {
    "INTERLOCK_SEED=0x\(String(value, radix: 16))"
  }
}

extension SplitMix64 {
  /// Whether an event with a probability of `percent` happens this time.
  package mutating func happens(percent: Int) -> Bool {
    Int(next() % 100) < percent
  }
}
