/// A mark beside an unreliable figure.
package enum Mark: String, Sendable {
  /// Other programs disturbed most of the rounds of the figure.
  case disturbed = "!"
  /// The figures of the rounds vary too much.
  case wide = "~"

  /// The spread above which a figure is marked, in percent.
  package static let widestSpread = 10.0

  /// The mark that a figure needs: the more serious one if both apply, `nil` if none does.
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
