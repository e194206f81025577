import Foundation

/// Finds all traps in the library modules.
///
/// A trap is a problem if its message has the wrong form, or if no exit test checks the message.
struct TrapSurvey {
  private(set) var traps: [TrapSentence] = []
  private(set) var problems: [Problem] = []

  private struct File {
    let path: String
    let text: String

    /// The name of the module: the folder in `Sources` that contains the file.
    var module: Substring { path.split(separator: "/")[1] }
  }

  /// A function that traps: `misuse(_:_:_:)`, or a function that passes its last two arguments to another
  /// trapping function.
  private struct Ending: Hashable {
    var name: String
    var argumentCount: Int
    /// The type name that the function puts into the trap's message; `nil` if the caller passes that name as
    /// the first argument.
    var primitive: String?
    /// The module in which the function can be called; `nil` for all modules.
    var module: Substring?
  }

  /// Finds the traps in the libraries of a package, and the traps that break a rule of this survey.
  init(ofPackage package: URL) throws {
    // The survey covers only libraries. The names of executables begin with a lower-case letter. A file
    // `Misuse.swift` is left out, because it implements `misuse(_:_:_:)`.
    let sources = try Self.files(in: package, under: "Sources").filter {
      $0.module.first!.isUppercase && !$0.path.hasSuffix("/Misuse.swift")
    }
    for file in sources {
      for word in ["fatalError(", "preconditionFailure(", "precondition("]
      where file.text.contains(" \(word)") && !file.text.contains("func \(word)") {
        problems.append(Problem(file.path, "\(word)…) does not say what to do instead; use misuse(_:_:_:)"))
      }
    }
    var endings = [Ending(name: "misuse", argumentCount: 3)]
    var next = 0
    while next < endings.count {
      let ending = endings[next]
      next += 1
      for file in sources where ending.module == nil || ending.module == file.module {
        for other in lookForCalls(of: ending, in: file) where !endings.contains(other) {
          endings.append(other)
        }
      }
    }
    if traps.isEmpty, problems.isEmpty { problems.append(Problem("Sources", "no trap was found")) }
    checkTests(try Self.files(in: package, under: "Tests"))
  }

  /// Records the message of each call of a trapping function in a file.
  ///
  /// - Returns: The functions that pass their own arguments on to such a call. They trap as well.
  private mutating func lookForCalls(of ending: Ending, in file: File) -> [Ending] {
    var others: [Ending] = []
    var rest = file.text[...]
    while let call = rest.range(of: #"(?<!func )\b\#(ending.name)\("#, options: .regularExpression) {
      rest = rest[call.upperBound...]
      let arguments = StringLiteral.arguments(from: rest)
      guard arguments.count == ending.argumentCount else { continue }
      let literals = arguments.map { StringLiteral.all(in: $0).first }
      let before = file.text[..<call.lowerBound].components(separatedBy: "\n")
      let place = "\(file.path):\(before.count)"
      let primitive = ending.primitive ?? literals[0] ?? TrapSentence.gap
      let count = literals.count
      do {
        switch (literals[count - 2], literals[count - 1]) {
        case (let done?, let instead?):
          let comment = before.dropLast().reversed().prefix(3)
            .lazy.compactMap { $0.trimmingCharacters(in: .whitespaces).without(prefix: "// Untested: ") }
            .first
          traps.append(
            try TrapSentence(
              place: place, primitive: primitive, done: done, instead: instead, reasonForNoTest: comment))
        case (nil, nil):
          guard let function = Self.function(at: call.lowerBound, in: file.text) else { fallthrough }
          others.append(
            Ending(
              name: function.name, argumentCount: function.argumentCount, primitive: primitive,
              module: file.module))
        default:
          throw Problem(
            place, "what was done and what to do instead have to be literals, for the check of the tests")
        }
      } catch {
        problems.append(error as? Problem ?? Problem(place, "\(error)"))
      }
    }
    return others
  }

  /// The name and the parameter count of the last function declared before a position; `nil` if there is
  /// none.
  ///
  /// The survey assumes that this function contains the position.
  private static func function(at place: String.Index, in text: String) -> (name: String, argumentCount: Int)?
  {
    let before = text[..<place]
    guard let word = before.range(of: "func ", options: .backwards) else { return nil }
    let rest = before[word.upperBound...]
    guard let parameters = rest.firstIndex(of: "(") else { return nil }
    let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return (String(name), StringLiteral.arguments(from: rest[rest.index(after: parameters)...]).count)
  }

  private mutating func checkTests(_ tests: [File]) {
    let literals = tests.filter { !$0.path.contains("/CompileFail/") && $0.text.contains("processExitsWith") }
      .flatMap { StringLiteral.all(in: $0.text) }
    for trap in traps {
      let hasTest = literals.contains(where: trap.isChecked)
      if !hasTest, trap.reasonForNoTest == nil {
        problems.append(Problem(trap.place, "no exit test checks this sentence:\n  \(trap.text)"))
      } else if hasTest, trap.reasonForNoTest != nil {
        problems.append(Problem(trap.place, "it says `Untested:`, and an exit test checks it"))
      }
    }
  }

  private static func files(in package: URL, under folder: String) throws -> [File] {
    let root = package.appendingPathComponent(folder)
    let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      File(
        path: "\(folder)/\(path)",
        text: try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8))
    }
  }
}
