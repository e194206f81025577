import Foundation

/// The message of a trap.
struct TrapSentence {
  /// The file and the line of the call that traps.
  let place: String
  /// The text `<primitive>: <what was done>; <what to do instead>`, with `…` for each interpolation.
  ///
  /// The primitive is the misused type, such as a lock.
  let text: String
  /// A regular expression that matches a test's string literal with the message.
  private let pattern: String
  /// The reason why no exit test checks the message, from a comment `Untested: …` above the call of the trap.
  ///
  /// `nil` if there is no such comment.
  let reasonForNoTest: String?

  /// The character that replaces each interpolation in a message.
  static let gap = "…"

  init(place: String, primitive: String, done: String, instead: String, reasonForNoTest: String?) throws {
    self.place = place
    self.reasonForNoTest = reasonForNoTest
    text = "\(primitive): \(done); \(instead)"
    guard !done.contains(";"), !done.hasSuffix("."), !instead.hasSuffix(".") else {
      throw Problem(place, "the form is `<primitive>: <what was done>; <what to do instead>`")
    }
    // The pattern accepts any text in place of the primitive's name, because a test may interpolate the name.
    // A test must spell out the rest of the message.
    func pattern(_ text: String) -> String {
      NSRegularExpression.escapedPattern(for: text).replacingOccurrences(of: Self.gap, with: ".*")
    }
    self.pattern = "^(\(Self.gap)|\(pattern(primitive))): \(pattern("\(done); \(instead)"))$"
  }

  /// Whether a string literal in a test is this message.
  func isChecked(by literal: String) -> Bool {
    literal.range(of: pattern, options: .regularExpression) != nil
  }
}
