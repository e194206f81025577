internal import Commands

/// The median and the quartiles of a list of figures.
package struct Summary: Sendable, Equatable, Decodable {
  package let median: Double
  package let lowerQuartile: Double
  package let upperQuartile: Double

  /// Half the interquartile range: about half of the figures are this close to the median.
  package var halfWidth: Double { (upperQuartile - lowerQuartile) / 2 }

  /// `halfWidth` in percent of the median; `nil` if the median is 0.
  package var spread: Double? {
    median == 0 ? nil : halfWidth / abs(median) * 100
  }

  /// The ratios of two implementations' figures, round by round.
  ///
  /// Both figures of a ratio are from the same round, so a disturbance of the whole round cancels out. The
  /// result is `nil` if the lists are empty or differ in length, or if a denominator is 0.
  package static func ofRatios(_ numerators: [Double], over denominators: [Double]) -> Summary? {
    guard numerators.count == denominators.count else { return nil }
    return Summary(zip(numerators, denominators).map { $0 / $1 })
  }

  /// The differences between two implementations' figures, round by round; `nil` if the lists are empty or
  /// differ in length.
  package static func ofDifferences(_ minuends: [Double], minus subtrahends: [Double]) -> Summary? {
    guard minuends.count == subtrahends.count else { return nil }
    return Summary(zip(minuends, subtrahends).map { $0 - $1 })
  }
}

extension Summary {
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
    self.init(
      median: quantile(0.5), lowerQuartile: quantile(0.25), upperQuartile: quantile(0.75))
  }
}

extension Summary: Encodable {
  package func encode(to encoder: any Encoder) throws {
    let document: JSONObject = [
      "median": median, "lowerQuartile": lowerQuartile, "upperQuartile": upperQuartile,
      "spreadPercent": spread,
    ]
    try document.encode(to: encoder)
  }
}
