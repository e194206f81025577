/// A random number generator that yields the same numbers for the same seed.
///
/// It is fast and small, but not suitable for secrets. (SplitMix64: Steele, Lea, Flood: "Fast splittable
/// pseudorandom number generators", 2014.)
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes one of many independent generators.
  ///
  /// - Parameters:
  ///   - seed: The seed of all these generators.
  ///   - stream: The number of this generator among those with the same seed. Different numbers yield
  ///     unrelated sequences.
  public init(seed: UInt64, stream: Int = 0) {
    state = seed
    state = next() ^ (UInt64(bitPattern: Int64(stream)) &* 0xd134_2543_de82_ef95)
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
