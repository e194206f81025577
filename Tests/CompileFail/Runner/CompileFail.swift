import Foundation

/// Checks what becomes of mistakes: those that the compiler refuses, and those that end with a trap.
///
/// `swift run CompileFail` compiles and runs every case, compares with what the files say, and with the table;
/// `--write` writes the table; `--accept` writes into the files which errors the compiler has found; names of cases limit it to
/// these.
@main
struct CompileFail {
  static func main() throws {
    var names = Set(CommandLine.arguments.dropFirst())
    let isAccepting = names.remove("--accept") != nil
    let isWriting = names.remove("--write") != nil
    let package = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let folder = package.appendingPathComponent("Tests/CompileFail")

    var problems: [Problem] = []
    let cases = try read(folder.appendingPathComponent("Cases"), names: names, problems: &problems)
    let work = FileManager.default.temporaryDirectory.appendingPathComponent(
      "CompileFail-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: work) }
    let products = Bundle.main.executableURL!.resolvingSymlinksInPath().deletingLastPathComponent()
    var examination = Examination(cases)
    problems += examination.perform(with: try Toolchain(products: products, work: work))
    if isAccepting {
      for trial in examination.trials where trial.role != .fixed {
        let text = trial.source.text(expecting: trial.errors)
        try text.write(to: trial.source.url, atomically: true, encoding: .utf8)
      }
    } else {
      problems += examination.judge()
    }

    var trapCount = 0
    if names.isEmpty {
      let (traps, trapProblems) = try TrapSentence.all(inPackage: package)
      trapCount = traps.count
      problems += trapProblems
      let table = Table(examination: examination, traps: traps).text
      let file = folder.appendingPathComponent("Mistakes.md")
      if isWriting, problems.isEmpty {
        try table.write(to: file, atomically: true, encoding: .utf8)
      } else if problems.isEmpty {
        problems += compare(table, with: file)
      }
    }
    for trial in examination.trials where !names.isEmpty {
      print("\(trial.place): \(trial.outcome.map { "\($0)" } ?? "compiles")")
    }
    for problem in problems {
      print(problem)
    }
    guard problems.isEmpty else {
      print("\(problems.count) problem(s)")
      exit(1)
    }
    print(
      "\(cases.count) mistakes, \(examination.trials.count) files, \(trapCount) traps: all as they should be"
    )
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

  /// The table is what was found, on the system that it speaks of.
  private static func compare(_ table: String, with file: URL) -> [Problem] {
    #if os(Linux)
      let written = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      let difference = Problem.difference(
        from: written.components(separatedBy: "\n"), to: table.components(separatedBy: "\n"))
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
