/// What stands beside a figure that is not to be taken at its word.
package enum Mark: String, Sendable {
  /// Most of its rounds were disturbed by other programs.
  case disturbed = "!"
  /// Its rounds lie too far apart.
  case wide = "~"

  /// From this spread on, in percent, a figure is marked.
  package static let widestSpread = 10.0

  /// The mark that a figure needs; the graver one, where both would be right.
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
