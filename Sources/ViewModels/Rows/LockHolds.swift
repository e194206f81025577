/// A histogram of the times that a lock was held, in nanoseconds.
///
/// A quantile that it returns exceeds the exact one by at most one eighth.
public struct LockHolds: Sendable, Equatable {
  // The number of hold times in each bucket. Each number of nanoseconds below eight has a bucket of its own.
  // Above, there are eight buckets of equal width from each power of two to the next.
  private var buckets = [Int](repeating: 0, count: 64 * 8)
  /// The number of critical sections that were recorded.
  public private(set) var count = 0
  /// The longest hold time, in nanoseconds; 0 if none was recorded.
  public private(set) var longest = 0

  package init() {}

  /// Adds a hold time.
  package mutating func record(_ nanoseconds: Int) {
    buckets[Self.bucket(of: max(0, nanoseconds))] += 1
    count += 1
    longest = max(longest, nanoseconds)
  }

  private static func bucket(of value: Int) -> Int {
    if value < 8 { return value }
    let power = value.bitWidth - 1 - value.leadingZeroBitCount
    return (power - 2) * 8 + (value >> (power - 3) & 7)
  }

  private static func greatest(in bucket: Int) -> Int {
    if bucket < 8 { return bucket }
    return (bucket % 8 + 9) << (bucket / 8 - 1) - 1
  }

  /// The given quantile of the hold times, in nanoseconds.
  ///
  /// - Parameter part: The fraction, from 0 to 1: 0.5 for the median, 0.99 for the 99th percentile.
  /// - Returns: The greatest time of the bucket that contains the quantile, but at most `longest`; 0 if no
  ///   hold time was recorded.
  public func quantile(_ part: Double) -> Int {
    var missing = Int((Double(count) * part).rounded(.up))
    for (bucket, size) in buckets.enumerated() where size > 0 {
      missing -= size
      if missing <= 0 { return min(longest, Self.greatest(in: bucket)) }
    }
    return longest
  }
}
