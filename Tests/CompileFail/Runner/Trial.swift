import Foundation

/// A file of a case, and the result of compiling and running it.
struct Trial {
  enum Role: Hashable {
    case wrong
    case fixed
    case peer(Peer)
  }

  enum Result {
    case errors([Diagnostic])
    /// The file compiles, but is not a program, so it can't be run.
    case compiles
    case ran(Outcome)
  }

  let name: String
  let role: Role
  let source: SourceFile
  /// The time after which a running program counts as hanging.
  let limit: DispatchTimeInterval
  /// Whether a warning counts as an error.
  var countsWarnings = false
  var result = Result.compiles

  var errors: [Diagnostic] {
    if case .errors(let errors) = result { errors } else { [] }
  }

  /// The outcome of the mistake; `nil` if the file compiles but has not been run.
  var outcome: Outcome? {
    switch result {
    case .errors: countsWarnings ? .warned : .refused
    case .compiles: nil
    case .ran(let outcome): outcome
    }
  }

  /// The case and the role of the file, such as "a-callback-that-is-not-sendable, fixed".
  ///
  /// It is used in messages, and as the name of files that this program makes.
  var place: String {
    switch role {
    case .wrong: "\(name), wrong"
    case .fixed: "\(name), fixed"
    case .peer(let peer): "\(name), \(peer.rawValue)"
    }
  }

  /// The path of the program made from the file; `nil` if the file is not a program.
  func executable(in toolchain: Toolchain) -> URL? {
    guard source.isProgram else { return nil }
    return toolchain.work.appendingPathComponent(place)
  }

  mutating func compile(with toolchain: Toolchain) throws {
    var options = countsWarnings ? ["-warnings-as-errors"] : []
    if role == .wrong { options += ["-D", "WRONG"] }
    let peer: Peer? = if case .peer(let peer) = role { peer } else { nil }
    let companion = toolchain.work.appendingPathComponent("\(place).swift")
    try source.companion(for: peer).write(to: companion, atomically: true, encoding: .utf8)
    let errors = try toolchain.compile(
      source.url, to: executable(in: toolchain), options: options + [companion.path])
    if !errors.isEmpty { result = .errors(errors) }
  }

  /// Runs the program and records its outcome, if the file is a program and has compiled.
  mutating func run(with toolchain: Toolchain) throws {
    guard errors.isEmpty, let executable = executable(in: toolchain) else { return }
    let ended = try Command(executable: executable).run(in: toolchain.work, limit: limit)
    result = .ran(try outcome(of: ended))
  }

  /// Derives the outcome of the mistake from the end and the output of the program.
  ///
  /// A program prints `right` or `wrong: …` as its last line, by `conclude(_:shouldBe:)`.
  private func outcome(of ended: Command.Result) throws -> Outcome {
    switch ended.end {
    case .timeout:
      return .hangs
    case .signal:
      let words = ended.errors.split(whereSeparator: \.isNewline)
      guard let sentence = words.first(where: { $0.contains("Interlock: ") }) ?? words.first else {
        return .crashes
      }
      return .traps(sentence: sentence.components(separatedBy: "Fatal error: ").last!)
    case .exit:
      let lines = ended.output.split(whereSeparator: \.isNewline)
      if let last = lines.last {
        if last == "right" { return .harmless }
        if let what = String(last).without(prefix: "wrong: ") { return .silentlyWrong(what) }
      }
      throw Problem(place, "ended with \(ended.end) and did not say whether all is right\n\(ended.errors)")
    }
  }
}
