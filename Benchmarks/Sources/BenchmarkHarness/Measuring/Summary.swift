/// The median and the quartiles of a list of figures.
package struct Summary: Sendable, Equatable {
  package let median: Double
  package let lowerQuartile: Double
  package let upperQuartile: Double

  /// Computes the median and the quartiles; `nil` if there are no figures, or if one is not finite.
  ///
  /// The quantile p of n sorted figures is at position p·(n−1), counted from 0. Between two positions, the
  /// figures are interpolated.
  package init?(_ figures: [Double]) {
    guard !figures.isEmpty, figures.allSatisfy(\.isFinite) else { return nil }
    let sorted = figures.sorted()
    func quantile(_ share: Double) -> Double {
      let position = share * Double(sorted.count - 1)
      let lower = Int(position)
      let upper = min(lower + 1, sorted.count - 1)
      return sorted[lower] + (sorted[upper] - sorted[lower]) * (position - Double(lower))
    }
    median = quantile(0.5)
    lowerQuartile = quantile(0.25)
    upperQuartile = quantile(0.75)
  }

  /// Half the interquartile range: about half of the figures are this close to the median.
  package var halfWidth: Double { (upperQuartile - lowerQuartile) / 2 }

  /// `halfWidth` in percent of the median; `nil` if the median is 0.
  package var spread: Double? { median == 0 ? nil : halfWidth / abs(median) * 100 }

  /// Combines the figures of two contestants round by round, so that a disturbance of a whole round cancels
  /// out; `nil` if the lists are empty or differ in length, or if a result is not finite.
  package static func combining(
    _ left: [Double], _ right: [Double], _ combine: (Double, Double) -> Double
  ) -> Summary? {
    guard left.count == right.count else { return nil }
    return Summary(zip(left, right).map(combine))
  }
}

/// The distance between two figures: by how many percent the greater one exceeds the other.
///
/// A ratio and its reciprocal have the same distance: half as fast is as far away as twice as fast. All
/// judgments of noise and of change use this distance.
package enum Distance {
  /// The distance between two figures whose ratio is `ratio`, in percent: 25 for both 1.25 and 0.8.
  package static func percent(ofRatio ratio: Double) -> Double { (max(ratio, 1 / ratio) - 1) * 100 }

  /// The distance, in percent, between each of the two quartiles and their geometric mean: 10 for quartiles
  /// of 100 and 121.
  package static func percent(betweenQuartilesOf summary: Summary) -> Double {
    // Equal quartiles may be 0.
    if summary.lowerQuartile == summary.upperQuartile { return 0 }
    return percent(ofRatio: (summary.upperQuartile / summary.lowerQuartile).squareRoot())
  }
}
