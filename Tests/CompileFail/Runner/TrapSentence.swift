import Foundation

/// The message of a trap.
struct TrapSentence {
  /// The place of the trap in the sources.
  let place: String
  /// `<primitive>: <what was done>; <what to do instead>`, with `…` for each interpolation.
  let text: String
  /// The message as a pattern for the literals of tests.
  private let pattern: String
  /// The reason why no exit test checks the message, if none does: a comment `Untested: …` above the call.
  let reasonForNoTest: String?

  /// Replaces an interpolation.
  static let gap = "…"

  init(place: String, primitive: String, done: String, instead: String, reasonForNoTest: String?) throws {
    self.place = place
    self.reasonForNoTest = reasonForNoTest
    text = "\(primitive): \(done); \(instead)"
    guard !done.contains(";"), !done.hasSuffix("."), !instead.hasSuffix(".") else {
      throw Problem(place, "the form is `<primitive>: <what was done>; <what to do instead>`")
    }
    // A test may interpolate the name of the primitive, but has to spell out the rest.
    func pattern(_ text: String) -> String {
      NSRegularExpression.escapedPattern(for: text).replacingOccurrences(of: Self.gap, with: ".*")
    }
    self.pattern = "^(\(Self.gap)|\(pattern(primitive))): \(pattern("\(done); \(instead)"))$"
  }

  /// Whether a literal of a test is this message.
  func isChecked(by literal: String) -> Bool {
    literal.range(of: pattern, options: .regularExpression) != nil
  }
}
