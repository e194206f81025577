import Foundation

/// A sentence that a program can end with.
struct TrapSentence {
  /// Where it stands in the sources.
  let place: String
  /// `<primitive>: <what was done>; <what to do instead>`, with `…` where something is put in.
  let text: String
  /// The same, for a literal of a test to match.
  private let pattern: String
  /// Why no exit test checks it, if none does: a comment `Untested: …` above the call.
  let reasonForNoTest: String?

  /// What stands for what is put in.
  static let gap = "…"

  init(place: String, primitive: String, done: String, instead: String, reasonForNoTest: String?) throws {
    self.place = place
    self.reasonForNoTest = reasonForNoTest
    text = "\(primitive): \(done); \(instead)"
    guard !done.contains(";"), !done.hasSuffix("."), !instead.hasSuffix(".") else {
      throw Problem(place, "the form is `<primitive>: <what was done>; <what to do instead>`")
    }
    // A test may name the primitive by an interpolation; the rest it has to spell out.
    func pattern(_ text: String) -> String {
      NSRegularExpression.escapedPattern(for: text).replacingOccurrences(of: Self.gap, with: ".*")
    }
    self.pattern = "^(\(Self.gap)|\(pattern(primitive))): \(pattern("\(done); \(instead)"))$"
  }

  /// Whether a literal of a test is this sentence.
  func isChecked(by literal: String) -> Bool {
    literal.range(of: pattern, options: .regularExpression) != nil
  }
}
