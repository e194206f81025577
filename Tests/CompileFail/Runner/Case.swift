import Foundation

/// A mistake that a module is meant to prevent, read from a folder of source files.
///
/// `mistake.swift` contains the mistake if it is compiled with the condition `WRONG`, and the correction
/// otherwise. `Mutex.swift`, if the mistake can be made there, makes it with `Synchronization.Mutex`.
struct Case {
  let name: String
  /// The module of this package that the mistake is about.
  let module: String
  /// A short description of the mistake.
  let title: String
  /// The outcome that the mistake must have when it is compiled or run.
  let expectation: Expectation
  /// Whether the mistake compiles in Swift 5 mode, although it is refused in Swift 6 mode.
  let compilesInMode5: Bool
  let wrong: Trial
  /// The mistake in Swift 5 mode; `nil` if it is not refused in Swift 6 mode.
  let wrongInMode5: Trial?
  let fixed: Trial
  let mutex: Trial?

  var trials: [Trial] { [wrong, wrongInMode5, fixed, mutex].compactMap(\.self) }

  enum Expectation: Equatable {
    /// The compiler reports the errors in `SourceFile.expectedErrors`.
    case refused
    /// The compiler reports the warnings in `SourceFile.expectedErrors`, where warnings count as errors.
    case warned
    case traps(String)
    case hangs
    case wrong
  }

  /// Reads the folder of a case.
  ///
  /// Throws a `Problem` if the folder is not a valid case, for example if `mistake.swift` is missing.
  init(_ folder: URL) throws {
    name = folder.lastPathComponent
    let files = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    guard files.contains("mistake.swift"), files.isSubset(of: ["mistake.swift", "Mutex.swift"]) else {
      throw Problem(name, "it must have a mistake.swift, and may have a Mutex.swift, but nothing else")
    }
    let mistake = try SourceFile(folder.appendingPathComponent("mistake.swift"))
    let modules = mistake.lines.compactMap { $0.without(prefix: "import ") }
    guard let module = modules.first(where: { !["Dispatch", "Foundation", "Synchronization"].contains($0) })
    else { throw Problem(name, "mistake.swift imports no module of the package") }
    self.module = module

    var expectation = Expectation.refused
    var text: [String] = []
    for paragraph in mistake.header {
      if let sentence = paragraph.without(prefix: "Traps: ") {
        expectation = .traps("Interlock: \(sentence)")
      } else if paragraph.hasPrefix("Warned: ") {
        expectation = .warned
      } else if paragraph.hasPrefix("Hangs: ") {
        expectation = .hangs
      } else if paragraph.hasPrefix("Silently wrong: ") {
        expectation = .wrong
      } else if paragraph != Self.mode5 {
        text.append(paragraph)
      }
    }
    guard text.count >= 2 else {
      throw Problem(name, "mistake.swift has to begin with a comment: the mistake; then the bug")
    }
    title = text[0].last == "." ? String(text[0].dropLast()) : text[0]
    self.expectation = expectation
    compilesInMode5 = mistake.header.contains(Self.mode5)
    let place = name
    func trial(_ role: String, _ source: SourceFile, _ options: [String] = [], mayHang: Bool = false) -> Trial
    {
      // A program that must not hang gets a long time limit, because the machine may be busy.
      Trial("\(place), \(role)", source, options, limit: .seconds(mayHang ? 10 : 120))
    }
    let warnings = expectation == .warned ? ["-warnings-as-errors"] : []
    wrong = trial("wrong", mistake, ["-D", "WRONG"] + warnings, mayHang: expectation == .hangs)
    wrong.expectsErrors = true
    wrong.countsWarnings = expectation == .warned
    wrongInMode5 =
      expectation == .refused
      ? trial("wrong in Swift 5 mode", mistake, ["-D", "WRONG", "-swift-version", "5"]) : nil
    wrongInMode5?.isOnlyCompiled = true
    fixed = trial("fixed", mistake, warnings)
    mutex =
      files.contains("Mutex.swift")
      ? trial("Mutex", try SourceFile(folder.appendingPathComponent("Mutex.swift")), warnings, mayHang: true)
      : nil
    mutex?.expectsErrors = true
    mutex?.countsWarnings = expectation == .warned
    try checkFix()
  }

  private static let mode5 = "It compiles in Swift 5 mode."

  /// Throws a `Problem` if the correction equals the mistake, or is too large.
  ///
  /// It is too large if the number of added lines plus the number of removed lines is more than 12.
  private func checkFix() throws {
    let source = fixed.source
    let size = source.code(isWrong: false).difference(from: source.code(isWrong: true)).count
    if size == 0 { throw Problem(name, "the correction does not differ from the mistake") }
    if size > 12 { throw Problem(name, "the correction differs in \(size) lines, which are a lot for a fix") }
  }

  // MARK: Judgement

  /// Returns the differences between the outcomes and the expectations in the files.
  func judge() -> [Problem] {
    var problems = judgeErrors(of: wrong) + (mutex.map(judgeErrors) ?? [])
    func expect(_ isRight: Bool, _ trial: Trial, _ expected: String) {
      if !isRight { problems.append(Problem(trial.place, "expected: \(expected); found: \(trial.outcome)")) }
    }
    switch (expectation, wrong.outcome) {
    case (.refused, .errors), (.warned, .errors), (.hangs, .hangs), (.wrong, .wrong): break
    case (.traps(let sentence), let outcome):
      expect(outcome == .traps(sentence), wrong, "it traps with \(sentence)")
    default: expect(false, wrong, "\(expectation)")
    }
    if let wrongInMode5 {
      expect(
        wrongInMode5.errors.isEmpty == compilesInMode5, wrongInMode5,
        compilesInMode5 ? Self.mode5 : "it is refused in Swift 5 mode too")
    }
    expect(
      fixed.outcome == (fixed.source.isProgram ? .right : .compiles), fixed, "the correction is right")
    if let mutex { expect(mutex.outcome != .compiles, mutex, "an error, or `func run()`") }
    return problems
  }

  /// Returns a problem if the compiler's errors are not exactly those that comments in the file expect.
  private func judgeErrors(of trial: Trial) -> [Problem] {
    func text(_ errors: [Diagnostic]) -> [String] {
      errors.sorted().map { "line \($0.line): \($0.message)" }
    }
    let difference = Problem.difference(from: text(trial.source.expectedErrors), to: text(trial.errors))
    return difference.isEmpty
      ? [] : [Problem(trial.place, "the errors are not those expected (- expected, + found)\n\(difference)")]
  }
}
