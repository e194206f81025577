#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Maps figures to positions along an axis.
package struct Scale: Sendable {
  /// Whether the scale is logarithmic.
  package let isLogarithmic: Bool
  /// The figures at the two ends of the axis.
  package let domain: ClosedRange<Double>
  /// The positions of the two ends of the axis; `end` is less than `start` on an axis that points upwards.
  package let start: Double
  package let end: Double

  /// A linear scale from 0 to 5 % above the greatest figure; from 0 to 1 if no figure is positive.
  package static func linear(covering values: [Double], from start: Double, to end: Double) -> Scale {
    let greatest = values.filter(\.isFinite).max() ?? 0
    return Scale(
      isLogarithmic: false, domain: 0...(greatest > 0 ? greatest * 1.05 : 1), start: start, end: end)
  }

  /// A logarithmic scale that covers all positive figures; others are ignored.
  ///
  /// The scale extends beyond the least and the greatest positive figure by the factor `room`. Without a
  /// positive figure, it extends from 0.5 to 2.
  package static func logarithmic(
    covering values: [Double], room: Double = 1.15, from start: Double, to end: Double
  ) -> Scale {
    let positive = values.filter { $0.isFinite && $0 > 0 }
    guard let least = positive.min(), let greatest = positive.max() else {
      return Scale(isLogarithmic: true, domain: 0.5...2, start: start, end: end)
    }
    return Scale(
      isLogarithmic: true, domain: (least / room)...(greatest * room), start: start, end: end)
  }

  /// The position of a figure on the axis.
  ///
  /// A figure outside the domain has the position of the nearer end of the axis.
  package func place(_ value: Double) -> Double {
    let value = min(max(value, domain.lowerBound), domain.upperBound)
    let share =
      isLogarithmic
      ? log(value / domain.lowerBound) / log(domain.upperBound / domain.lowerBound)
      : (value - domain.lowerBound) / (domain.upperBound - domain.lowerBound)
    return start + share * (end - start)
  }

  /// The round numbers to mark on the axis, in ascending order, all inside the domain.
  package var ticks: [Double] {
    isLogarithmic ? logarithmicTicks : linearTicks
  }

  private var linearTicks: [Double] {
    let step = Self.roundStep(atLeast: domain.upperBound / 6)
    return (0...Int(domain.upperBound / step)).map { Double($0) * step }
  }

  private var logarithmicTicks: [Double] {
    let decades = Int(log10(domain.lowerBound).rounded(.down))...Int(log10(domain.upperBound).rounded(.up))
    // On a narrow axis, such as one from 1.05 to 1.45, ticks at 1, 2 and 5 times a power of ten would be too
    // few. Such an axis has ticks at further multiples.
    let fine = log10(domain.upperBound / domain.lowerBound)
    let digits: [Double] =
      switch fine {
      case ..<0.5: [1, 1.1, 1.2, 1.3, 1.5, 1.7, 2, 2.5, 3, 4, 5, 6, 7, 8, 9]
      case ..<3: [1, 2, 5]
      default: [1]
      }
    return decades.flatMap { decade in digits.map { $0 * pow(10, Double(decade)) } }.filter(domain.contains)
  }

  /// The smallest number not below `least` that is 1, 2 or 5 times a power of ten.
  private static func roundStep(atLeast least: Double) -> Double {
    let power = pow(10, log10(least).rounded(.down))
    return ([1, 2, 5, 10].first { $0 * power >= least * 0.999 } ?? 10) * power
  }
}
