import Foundation

/// A call of `misuse(_:_:_:)` in the sources.
struct TrapSentence {
  /// Where the call is.
  let place: String
  /// `<primitive>: <what was done>; <what to do instead>`, with `…` where something is put in.
  let text: String
  /// The same, for a literal of a test to match.
  private let pattern: String
  /// Why no exit test checks it, if none does: a comment `Untested: …` above the call.
  let reasonForNoTest: String?

  /// What stands for an interpolation.
  private static let gap = "…"

  private init(place: String, arguments: [String], comment: String?) throws {
    self.place = place
    reasonForNoTest = comment
    guard arguments.count == 3 else {
      throw Problem(place, "misuse(_:_:_:) with \(arguments.count) arguments")
    }
    let parts = arguments.map { StringLiteral.all(in: $0).first ?? Self.gap }
    text = "\(parts[0]): \(parts[1]); \(parts[2])"
    for part in parts.dropFirst() where part == Self.gap {
      throw Problem(
        place, "what was done and what to do instead have to be literals, for the check of the tests")
    }
    guard !parts[1].contains(";"), !parts[1].hasSuffix("."), !parts[2].hasSuffix(".") else {
      throw Problem(place, "the form is `<primitive>: <what was done>; <what to do instead>`")
    }
    // A test may name the primitive by an interpolation; the rest it has to spell out.
    func pattern(_ text: String) -> String {
      NSRegularExpression.escapedPattern(for: text).replacingOccurrences(of: Self.gap, with: ".*")
    }
    self.pattern = "^(\(Self.gap)|\(pattern(parts[0]))): \(pattern("\(parts[1]); \(parts[2])"))$"
  }

  private func isChecked(by literal: String) -> Bool {
    literal.range(of: pattern, options: .regularExpression) != nil
  }

  // MARK: All of them

  /// Every call in the library modules, and what is wrong with them: the form, or that no exit test checks the sentence.
  static func all(inPackage package: URL) throws -> (traps: [TrapSentence], problems: [Problem]) {
    var problems: [Problem] = []
    var traps: [TrapSentence] = []
    for (place, text) in try files(in: package, under: "Sources") where !place.hasSuffix("/Misuse.swift") {
      for word in ["fatalError(", "preconditionFailure(", "precondition("]
      where text.contains(" \(word)") && !text.contains("func \(word)") {
        problems.append(Problem(place, "\(word)…) does not say what to do instead; use misuse(_:_:_:)"))
      }
      do {
        traps += try calls(in: text, place: place)
      } catch let problem as Problem {
        problems.append(problem)
      }
    }
    let checked = try files(in: package, under: "Tests")
      .filter { !$0.path.contains("/CompileFail/") && $0.text.contains("processExitsWith") }
      .flatMap { StringLiteral.all(in: $0.text) }
    for trap in traps {
      let hasTest = checked.contains(where: trap.isChecked)
      if !hasTest, trap.reasonForNoTest == nil {
        problems.append(Problem(trap.place, "no exit test checks this sentence:\n  \(trap.text)"))
      } else if hasTest, trap.reasonForNoTest != nil {
        problems.append(Problem(trap.place, "it says `Untested:`, and an exit test checks it"))
      }
    }
    return (traps, problems)
  }

  private static func calls(in text: String, place: String) throws -> [TrapSentence] {
    var traps: [TrapSentence] = []
    var rest = text[...]
    while let call = rest.range(of: #"\bmisuse\("#, options: .regularExpression) {
      let before = text[..<call.lowerBound].components(separatedBy: "\n")
      let arguments = StringLiteral.arguments(from: text[call.upperBound...])
      let comment = before.dropLast().reversed().prefix(3)
        .lazy.compactMap { $0.trimmingCharacters(in: .whitespaces).without(prefix: "// Untested: ") }.first
      traps.append(
        try TrapSentence(place: "\(place):\(before.count)", arguments: arguments, comment: comment))
      rest = rest[call.upperBound...]
    }
    return traps
  }

  private static func files(in package: URL, under folder: String) throws -> [(path: String, text: String)] {
    let root = package.appendingPathComponent(folder)
    let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      ("\(folder)/\(path)", try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8))
    }
  }
}
