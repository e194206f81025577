import Foundation

/// A way to compile a file of a case, and what becomes of it.
///
/// `@unchecked Sendable` is sound: one operation at a time uses a trial.
final class Trial: @unchecked Sendable {
  /// The case and the role of the file, such as "a-lock-in-a-var, fixed".
  ///
  /// It is used in messages, and as the name of files that this program makes.
  let place: String
  let source: SourceFile
  private let options: [String]
  /// The time after which a running program counts as hanging.
  private let limit: DispatchTimeInterval
  /// Whether the comments of the file state the errors of this trial.
  var expectsErrors = false
  /// Whether the errors are warnings, which count as errors.
  var countsWarnings = false
  /// Whether the file is not made into a program, even if it can be.
  var isOnlyCompiled = false

  private(set) var outcome = Outcome.compiles
  /// The reason why there is no outcome.
  private(set) var problem: Problem?

  init(_ place: String, _ source: SourceFile, _ options: [String] = [], limit: DispatchTimeInterval) {
    self.place = place
    self.source = source
    self.options = options
    self.limit = limit
  }

  enum Outcome: Equatable {
    case errors([Diagnostic], areWarnings: Bool)
    /// The file compiles, but is not a program, so it can't be run.
    case compiles
    case traps(String)
    case crashes
    case hangs
    /// The program ends with a wrong result, which the associated value describes.
    case wrong(String)
    case right

    /// The word for the outcome in `Mistakes.md`.
    ///
    /// Chance may decide how a program fails where nothing checks for the mistake, so that is one word.
    var word: String {
      switch self {
      case .errors(_, let areWarnings): areWarnings ? "warned" : "refused"
      case .traps: "traps"
      case .compiles, .crashes, .hangs, .wrong: "not caught"
      case .right: "harmless"
      }
    }
  }

  var errors: [Diagnostic] { if case .errors(let errors, _) = outcome { errors } else { [] } }

  /// Sets the outcome, for the tests of the judgement.
  func end(_ outcome: Outcome) { self.outcome = outcome }

  func perform(_ body: (Trial) throws -> Void) {
    do { try body(self) } catch { problem = error as? Problem ?? Problem(place, "\(error)") }
  }

  /// The path of the program made from the file; `nil` if there is none.
  private func executable(in toolchain: Toolchain) -> URL? {
    source.isProgram && !isOnlyCompiled ? toolchain.work.appendingPathComponent(place) : nil
  }

  func compile(with toolchain: Toolchain) throws {
    let entry = toolchain.work.appendingPathComponent("\(place).swift")
    try (source.entryPoint ?? "").write(to: entry, atomically: true, encoding: .utf8)
    let errors = try toolchain.compile(
      source.url, to: executable(in: toolchain), options: options + [entry.path])
    if !errors.isEmpty { outcome = .errors(errors, areWarnings: countsWarnings) }
  }

  /// Runs the program and records its outcome, if there is one.
  ///
  /// A program prints `right` or `wrong: …` as its last line, by `conclude(_:shouldBe:)`.
  func run(with toolchain: Toolchain) throws {
    guard problem == nil, errors.isEmpty, let executable = executable(in: toolchain) else { return }
    let ended = try Command(executable: executable).run(in: toolchain.work, limit: limit)
    let last = ended.output.split(whereSeparator: \.isNewline).last.map(String.init)
    switch ended.end {
    case .timeout: outcome = .hangs
    case .signal:
      let lines = ended.errors.split(whereSeparator: \.isNewline)
      let sentence = lines.first { $0.contains("Interlock: ") } ?? lines.first
      outcome = sentence.map { .traps($0.components(separatedBy: "Fatal error: ").last!) } ?? .crashes
    case .exit:
      if last == "right" {
        outcome = .right
      } else if let what = last?.without(prefix: "wrong: ") {
        outcome = .wrong(what)
      } else {
        throw Problem(place, "ended with \(ended.end) and did not say whether all is right\n\(ended.errors)")
      }
    }
  }
}
