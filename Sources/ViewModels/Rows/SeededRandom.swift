internal import ThreadSupport

/// A random number generator that yields the same numbers for the same seed.
///
/// It is fast and small, but not suitable for secrets.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var generator: SplitMix64

  /// Makes one of many independent generators.
  ///
  /// - Parameters:
  ///   - seed: The seed, which all of these generators share.
  ///   - stream: The number of this generator.
  public init(seed: UInt64, stream: Int = 0) {
    var mixer = SplitMix64(state: seed)
    generator = SplitMix64(state: mixer.next() ^ (UInt64(bitPattern: Int64(stream)) &* 0xd134_2543_de82_ef95))
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    generator.next()
  }
}
