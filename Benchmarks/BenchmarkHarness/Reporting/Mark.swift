/// A mark beside an unreliable figure.
package enum Mark: String, Sendable {
  /// Other programs disturbed most of the rounds from which the figure was computed.
  case disturbed = "!"
  /// The spread of the rounds' figures exceeds `widestSpread`.
  case wide = "~"

  /// The spread above which a figure is marked, in percent.
  package static let widestSpread = 10.0

  /// The mark that a figure needs; `nil` if the figure is reliable.
  ///
  /// A disturbed figure has the mark `disturbed`, even if its spread is also too great.
  package init?(isDisturbed: Bool, spread: Double?) {
    if isDisturbed {
      self = .disturbed
    } else if let spread, spread > Self.widestSpread {
      self = .wide
    } else {
      return nil
    }
  }
}
