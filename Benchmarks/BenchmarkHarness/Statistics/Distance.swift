/// The distance between two figures: by how many percent the greater one exceeds the other.
///
/// A ratio and its reciprocal have the same distance: half as fast is as far away as twice as fast. All
/// judgements of noise and of change use this distance.
package enum Distance {
  /// The distance between two figures whose ratio is `ratio`, in percent: 25 for both 1.25 and 0.8.
  package static func percent(ofRatio ratio: Double) -> Double {
    (max(ratio, 1 / ratio) - 1) * 100
  }

  /// The distance, in percent, between each of the two quartiles and their geometric mean: 10 for quartiles
  /// of 100 and 121.
  package static func percent(betweenQuartilesOf summary: Summary) -> Double {
    // Equal quartiles may be 0.
    if summary.lowerQuartile == summary.upperQuartile { return 0 }
    return percent(ofRatio: (summary.upperQuartile / summary.lowerQuartile).squareRoot())
  }
}
