// Exported so that tests which import `TestSupport` can also use threads, monitors, clocks and random numbers.
@_exported public import Exploration
@_exported public import InterlockCore

/// The seed of all random choices of a test run.
///
/// Each run has its own seed, unless `INTERLOCK_SEED` sets it. A failure prints the seed as an environment
/// variable, so that `INTERLOCK_SEED=0x1234 swift test` repeats the choices of that run. The interleaving of
/// the threads still differs.
package struct Seed: Sendable, CustomStringConvertible {
  private let value: UInt64

  /// The seed of this run.
  package static let current = Seed(environment: Environment["INTERLOCK_SEED"])

  /// Parses a seed.
  ///
  /// - Parameter text: A decimal number, or a hexadecimal number after `0x`. `nil` makes a random seed; text
  ///   that is not an unsigned 64-bit number traps.
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

  /// Makes a generator for the random choices of one thread.
  ///
  /// - Parameter stream: Selects the sequence of random numbers. Each thread must use a different stream.
  package func generator(stream: Int) -> SplitMix64 {
    var mixer = SplitMix64(state: value)
    return SplitMix64(state: mixer.next() ^ (UInt64(bitPattern: Int64(stream)) &* 0x9e37_79b9_7f4a_7c15))
  }

  package var description: String {
    "INTERLOCK_SEED=0x\(String(value, radix: 16))"
  }
}

extension SplitMix64 {
  /// Returns `true` with a probability of `percent` percent, which must be from 0 to 100.
  package mutating func happens(percent: Int) -> Bool {
    Int(next() % 100) < percent
  }
}
