import Foundation

/// Checks the outcomes of mistakes, for example whether the compiler refuses them or the program traps.
///
/// `swift run CompileFail` compiles and runs the files of every mistake. It compares the outcomes with the
/// comments in these files, and with the table in `Mistakes.md`. Arguments change what the program does:
/// - `--traps` checks only the traps of the libraries.
/// - `--write` writes the table, provided that there is no problem.
/// - `--accept` writes the compiler's errors into the files.
/// - Names of cases limit the check to these cases. The table and the traps are then not checked.
@main
struct CompileFail {
  static func main() throws {
    var names = Set(CommandLine.arguments.dropFirst())
    let isAccepting = names.remove("--accept") != nil
    let isWriting = names.remove("--write") != nil
    let isAboutTraps = names.remove("--traps") != nil
    let package = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let folder = package.appendingPathComponent("Tests/CompileFail")

    let survey = names.isEmpty ? try TrapSurvey(ofPackage: package) : nil
    var problems = survey?.problems ?? []
    if isAboutTraps { finish(problems, "\(survey?.traps.count ?? 0) traps: each has an exit test") }

    let cases = try read(folder.appendingPathComponent("Cases"), names: names, problems: &problems)
    let work = FileManager.default.temporaryDirectory.appendingPathComponent(
      "CompileFail-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    let products = Bundle.main.executableURL!.resolvingSymlinksInPath().deletingLastPathComponent()
    var examination = Examination(cases)
    problems += examination.perform(with: try Toolchain(products: products, work: work))
    try FileManager.default.removeItem(at: work)

    if isAccepting {
      try accept(examination)
    } else {
      problems += examination.judge()
    }
    if names.isEmpty, problems.isEmpty {
      var table = Table(examination: examination)
      let file = folder.appendingPathComponent("Mistakes.md")
      if isWriting {
        try table.text.write(to: file, atomically: true, encoding: .utf8)
      } else {
        table.written = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        problems += compare(table, with: file)
      }
    }
    for trial in examination.trials where !names.isEmpty {
      print("\(trial.place): \(trial.outcome.map { "\($0)" } ?? "compiles")")
    }
    finish(
      problems,
      "\(cases.count) mistakes, compiled in \(examination.trials.count) forms: all as they should be")
  }

  private static func finish(_ problems: [Problem], _ success: String) -> Never {
    for problem in problems {
      print(problem)
    }
    print(problems.isEmpty ? success : "\(problems.count) problem(s)")
    exit(problems.isEmpty ? 0 : 1)
  }

  /// Replaces the expected errors in the files of the cases by the errors that the compiler has reported.
  private static func accept(_ examination: Examination) throws {
    for trial in examination.trials where trial.role != .fixed {
      let text = trial.source.text(expecting: trial.errors)
      try text.write(to: trial.source.url, atomically: true, encoding: .utf8)
    }
  }

  private static func read(_ folder: URL, names: Set<String>, problems: inout [Problem]) throws -> [Case] {
    let all = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    for name in names where !all.contains(name) {
      problems.append(Problem(name, "no such case"))
    }
    return all.filter { names.isEmpty || names.contains($0) }.compactMap { name in
      do {
        return try Case(folder.appendingPathComponent(name))
      } catch {
        problems.append(error as? Problem ?? Problem(name, "\(error)"))
        return nil
      }
    }
  }

  /// Returns a problem if the table in the file (`table.written`) differs from the table of the outcomes.
  ///
  /// The table lists outcomes on Linux, so other systems skip the comparison.
  private static func compare(_ table: Table, with file: URL) -> [Problem] {
    #if os(Linux)
      let difference = Problem.difference(
        from: table.written.components(separatedBy: "\n"), to: table.text.components(separatedBy: "\n"))
      return difference.isEmpty
        ? []
        : [
          Problem(
            file.lastPathComponent,
            "it is not what was found; `swift run CompileFail --write` writes it (- written, + found)\n\(difference)"
          )
        ]
    #else
      return []
    #endif
  }
}
