import Foundation

/// Finds all traps in the library modules.
///
/// A trap is a call of `misuse`, or of a function that passes its last two arguments on to it. It is a problem
/// if its sentence has the wrong form, or if no exit test checks the sentence.
struct TrapSurvey {
  private(set) var count = 0
  private(set) var problems: [Problem] = []

  /// Matches string literals that are joined by `+`, whose interpolations contain no string literals.
  private static let literal = #""(?:[^"\\\n]|\\.)*"(?:\s*\+\s*"(?:[^"\\\n]|\\.)*")*"#

  /// Reads the sources and the tests of a package.
  init(ofPackage package: URL) throws {
    let sources = try Self.files(in: package, under: "Sources")
    let tests = try Self.files(in: package, under: "Tests").filter {
      !$0.path.hasPrefix("Tests/CompileFail") && $0.text.contains("processExitsWith")
    }
    let checked = tests.flatMap { Self.sentences(in: $0.text) }
    // The survey covers only libraries. A file `Misuse.swift` is left out, because it implements
    // `misuse(_:_:_:)`.
    for file in sources
    where file.path.split(separator: "/")[1] != "Demonstration" && !file.path.hasSuffix("/Misuse.swift") {
      for word in ["fatalError(", "preconditionFailure(", "precondition("]
      where file.text.contains(" \(word)") && !file.text.contains("func \(word)") {
        problems.append(Problem(file.path, "\(word)…) does not say what to do instead; use misuse(_:_:_:)"))
      }
      survey(file, checked)
    }
    if count == 0 { problems.append(Problem("Sources", "no trap was found")) }
  }

  private mutating func survey(_ file: File, _ checked: [String]) {
    let literal = Self.literal
    let sentences = Self.matches(
      of: #"((?:// Untested: [^\n]*\n(?:[^\n]*\n){0,2}[^\n]*)?)(?<!func )\b(?:misuse|trap|check)\("#
        + #"([^{}]*?)(\#(literal)),\s*(\#(literal))\s*\)"#,
      in: file.text)
    // A function that passes on what its caller has passed to it is known by its name; its callers trap.
    let calls = Self.matches(of: #"(?<!func )\bmisuse\("#, in: file.text).count
    let functions = Self.matches(of: #"func (?:trap|check)\([^{}]*\binstead: String\)"#, in: file.text).count
    let found = sentences.count { $0[0].contains("misuse(") }
    if found + functions != calls {
      problems.append(
        Problem(
          file.path, "of \(calls) calls of misuse, \(found) have literals, and \(functions) pass on sentences"
        ))
    }
    for sentence in sentences {
      count += 1
      let (done, instead) = (Self.content(of: sentence[3]), Self.content(of: sentence[4]))
      let primitive = Self.matches(of: literal, in: sentence[2]).first.map { Self.content(of: $0[0]) } ?? "…"
      let text = "\(primitive): \(done); \(instead)"
      if done.contains(";") || done.hasSuffix(".") || instead.hasSuffix(".") {
        problems.append(
          Problem(file.path, "the form is `<primitive>: <what was done>; <what to do instead>`:\n  \(text)"))
        continue
      }
      // A test may interpolate the name of the primitive, but must spell out the rest of the sentence.
      func pattern(_ text: String) -> String {
        NSRegularExpression.escapedPattern(for: text).replacingOccurrences(of: "…", with: ".*")
      }
      let whole = "^(…|\(pattern(primitive))): \(pattern("\(done); \(instead)"))$"
      let hasTest = checked.contains { $0.range(of: whole, options: .regularExpression) != nil }
      if !hasTest, sentence[1].isEmpty {
        problems.append(Problem(file.path, "no exit test checks this sentence:\n  \(text)"))
      } else if hasTest, !sentence[1].isEmpty {
        problems.append(Problem(file.path, "it says `Untested:`, and an exit test checks it:\n  \(text)"))
      }
    }
  }

  /// The texts of a test: all literals, and the parts of each `Misuse("done", "instead")`, of which the second one may
  /// be a constant of the same file.
  private static func sentences(in test: String) -> [String] {
    let constants = matches(of: #"\blet (\w+) =\s*(\#(literal))"#, in: test).map {
      ($0[1], content(of: $0[2]))
    }
    let parts = Dictionary(constants) { first, _ in first }
    let misuses = matches(of: #"\bMisuse\(\s*(\#(literal)),\s*(?:(\#(literal))|(\w+))"#, in: test).map {
      "\(content(of: $0[1])); \($0[2].isEmpty ? parts[$0[3]] ?? "" : content(of: $0[2]))"
    }
    return misuses + matches(of: literal, in: test).map { content(of: $0[0]) }
  }

  /// The text of literals without quotes, and with `…` in place of each interpolation.
  private static func content(of literals: String) -> String {
    literals.replacingOccurrences(of: #""\s*\+\s*""#, with: "", options: .regularExpression)
      .replacingOccurrences(
        of: #"\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"#, with: "…", options: .regularExpression
      )
      .dropFirst().dropLast().replacingOccurrences(of: #"\""#, with: "\"")
  }

  /// The matches of a regular expression, each with its groups.
  private static func matches(of pattern: String, in text: String) -> [[String]] {
    // The patterns are those of this file.
    guard let expression = try? NSRegularExpression(pattern: pattern) else { fatalError(pattern) }
    return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).map { match in
      (0..<match.numberOfRanges).map { Range(match.range(at: $0), in: text).map { String(text[$0]) } ?? "" }
    }
  }

  private typealias File = (path: String, text: String)

  /// The Swift files of a folder, without the lines that are comments, except reasons for a missing test.
  private static func files(in package: URL, under folder: String) throws -> [File] {
    let root = package.appendingPathComponent(folder)
    let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        .replacingOccurrences(
          of: #"(?m)^ *//(?! Untested: ).*$"#, with: "", options: .regularExpression)
      return ("\(folder)/\(path)", text)
    }
  }
}
