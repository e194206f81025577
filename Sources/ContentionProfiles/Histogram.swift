internal import InterlockCore

/// Assigns durations to buckets, eight of equal width between successive powers of two nanoseconds.
///
/// The buckets begin at 256 ns and end at 18 minutes. The first bucket also counts shorter durations, and the
/// last one longer durations. A quantile is computed as the middle of its bucket. Within the range of the
/// buckets, it differs from the exact value by at most 1/16 of that value.
enum Histogram {
  static let bucketCount = 256

  private static let firstOctave = 8

  /// The index of the bucket that counts a duration in nanoseconds.
  static func bucket(of nanoseconds: UInt64) -> Int {
    let octave = 63 - max(nanoseconds, 1).leadingZeroBitCount
    if octave < firstOctave { return 0 }
    let eighth = Int(nanoseconds >> UInt64(octave - 3)) & 7
    return min((octave - firstOctave) * 8 + eighth, bucketCount - 1)
  }

  /// The middle of a bucket, in nanoseconds.
  static func middle(ofBucket bucket: Int) -> UInt64 {
    let width = UInt64(1) << UInt64(firstOctave + bucket / 8 - 3)
    return UInt64(8 + bucket % 8) * width + width / 2
  }

  /// The quantile `part` (from 0 to 1) of the counted durations, in nanoseconds; 0 if nothing was counted.
  static func quantile(_ part: Double, of counts: [UInt64]) -> UInt64 {
    let total = counts.reduce(0, +)
    let rank = max(1, UInt64((Double(total) * part).rounded(.up)))
    var sum: UInt64 = 0
    for (bucket, count) in counts.enumerated() {
      sum += count
      if sum >= rank { return middle(ofBucket: bucket) }
    }
    return 0
  }
}
