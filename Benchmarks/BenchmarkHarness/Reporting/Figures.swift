/// Formats numbers.
package enum Figures {
  /// Formats a number with a fixed number of decimals.
  ///
  /// A number becomes a dash if it is not finite, or if its absolute value is 10¹⁵ or more.
  package static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "–" }
    var scale = 1.0
    for _ in 0..<decimals {
      scale *= 10
    }
    let scaled = Int64((abs(value) * scale).rounded())
    let sign = value < 0 && scaled != 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(scaled)" }
    let digits = String(scaled)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
  }

  /// Formats a number with three significant digits, or two if its absolute value is less than 0.1.
  ///
  /// A number of 1,000 or more keeps all digits before the decimal point.
  package static func significant(_ value: Double) -> String {
    switch abs(value) {
    case 0: "0"
    case ..<0.0995: fixed(value, decimals(ofSmall: abs(value)))
    case ..<9.995: fixed(value, 2)
    case ..<99.95: fixed(value, 1)
    default: fixed(value, 0)
    }
  }

  /// The number of decimals that show two significant digits of a small number: from three to twelve.
  private static func decimals(ofSmall value: Double) -> Int {
    var decimals = 3
    var least = 0.00995
    while value < least, decimals < 12 {
      decimals += 1
      least /= 10
    }
    return decimals
  }

  /// Formats a ratio, followed by the sign "×".
  package static func times(_ value: Double) -> String {
    "\(value.isInfinite ? "∞" : abs(value) < 0.0995 ? significant(value) : fixed(value, 2))×"
  }

  /// Formats a time in a suitable unit.
  package static func duration(nanoseconds: Int) -> String {
    let value = Double(nanoseconds)
    switch nanoseconds {
    case ..<1_000: return "\(nanoseconds) ns"
    case ..<1_000_000: return "\(significant(value / 1e3)) µs"
    case ..<1_000_000_000: return "\(significant(value / 1e6)) ms"
    default: return "\(significant(value / 1e9)) s"
    }
  }

  /// Formats a time in a suitable unit; a time below 100 ns can have decimals.
  package static func duration(nanoseconds: Double) -> String {
    nanoseconds < 99.5 ? "\(significant(nanoseconds)) ns" : duration(nanoseconds: Int(nanoseconds.rounded()))
  }

  /// Formats a spread in percent, such as "±3%", or "±0.4%" for less than one percent; `nil` becomes a dash.
  package static func percent(_ value: Double?) -> String {
    guard let value else { return "–" }
    return "±\(fixed(value, value < 0.95 ? 1 : 0))%"
  }
}
