internal import Foundation

/// Formats numbers.
package enum Figures {
  /// Formats a number with a fixed number of decimals; a dash if it is not finite.
  package static func fixed(_ value: Double, _ decimals: Int) -> String {
    value.isFinite ? String(format: "%.\(decimals)f", value) : "–"
  }

  /// Formats a number with three significant digits, or two if its absolute value is less than 0.1.
  ///
  /// A number of 1,000 or more keeps all digits before the decimal point.
  package static func significant(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return fixed(value, 0) }
    let magnitude = Int(log10(abs(value)).rounded(.down))
    return fixed(value, max(0, (magnitude < -1 ? 1 : 2) - magnitude))
  }

  /// Formats a time in a suitable unit.
  package static func duration(nanoseconds: Double) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
    let (size, unit) = units.first { nanoseconds >= $0.0 } ?? (1, "ns")
    return "\(significant(nanoseconds / size)) \(unit)"
  }

  /// Formats a spread in percent, such as "±3%", or "±0.4%" for less than one percent; `nil` becomes a dash.
  package static func percent(_ value: Double?) -> String {
    value.map { "±\(fixed($0, $0 < 0.95 ? 1 : 0))%" } ?? "–"
  }
}
