import Foundation

/// An error of the compiler: its line and its message.
struct Diagnostic: Hashable, Comparable {
  var line: Int
  var message: String

  static func < (one: Diagnostic, other: Diagnostic) -> Bool {
    (one.line, one.message) < (other.line, other.message)
  }
}

/// Calls the compiler as a client of the package would, with the modules of this build.
struct Toolchain {
  /// The build directory with this program, its modules and their objects.
  let products: URL
  /// The directory for intermediate files.
  let work: URL
  private let objects: [String]

  init(products: URL, work: URL) throws {
    self.products = products
    self.work = work
    // Each case is linked with the object files of this program, except those of the target `CompileFail`.
    let list = products.appendingPathComponent("CompileFail.product/Objects.LinkFileList")
    objects = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
      .filter { !$0.contains("/CompileFail.build/") }
  }

  /// Compiles `source`, and links it to `executable` if there are no errors.
  ///
  /// - Parameters:
  ///   - executable: The program to make; `nil` if the file is only compiled.
  ///   - options: More options of the compiler, or files to compile together with `source`.
  /// - Returns: The compiler's errors; empty if it accepts the file.
  /// - Throws: A `Problem` if the compiler fails without an error in `source`.
  func compile(_ source: URL, to executable: URL?, options: [String] = []) throws -> [Diagnostic] {
    var arguments =
      [
        "swiftc", source.path, "-module-name", "Case", "-parse-as-library", "-swift-version", "6", "-Onone",
        "-wmo", "-diagnostic-style", "llvm", "-no-color-diagnostics",
        "-I", products.appendingPathComponent("Modules").path,
        "-Xfrontend", "-import-module", "-Xfrontend", "CaseSupport",
      ] + options
    // Modules in C that library modules import.
    for module in ["CInterlock", "CContention"] {
      let map = products.appendingPathComponent("\(module).build/module.modulemap")
      arguments += ["-Xcc", "-fmodule-map-file=\(map.path)"]
    }
    // The compiler finds errors of ownership and isolation only in its intermediate language (SIL), so
    // `-typecheck` would miss them.
    if let executable {
      arguments += ["-o", executable.path] + objects
    } else {
      arguments += ["-emit-sil", "-o", "/dev/null"]
    }
    #if canImport(Darwin)
      let command = Command(executable: URL(fileURLWithPath: "/usr/bin/xcrun"), arguments: arguments)
    #else
      let command = Command(executable: URL(fileURLWithPath: "/usr/bin/env"), arguments: arguments)
    #endif
    let result = try command.run(in: work, limit: .seconds(300))
    let errors = Self.errors(in: result.errors, of: source)
    guard result.end == .exit(0) || !errors.isEmpty else {
      throw Problem(source.path, "the compiler ended with \(result.end)\n\(result.errors)")
    }
    return errors
  }

  private static func errors(in text: String, of source: URL) -> [Diagnostic] {
    let errors = text.split(separator: "\n").compactMap { line -> Diagnostic? in
      guard let message = String(line).without(prefix: "\(source.path):") else { return nil }
      // After the path, a line with an error has the form LINE:COLUMN: error: MESSAGE.
      let parts = message.split(separator: ":", maxSplits: 3)
      guard parts.count == 4, parts[2] == " error", let line = Int(parts[0]) else { return nil }
      // Removes the name of the diagnostic's group at the end of the message.
      let text = parts[3].replacingOccurrences(of: #" \[#[\w-]+\]$"#, with: "", options: .regularExpression)
      return Diagnostic(line: line, message: text.trimmingCharacters(in: .whitespaces))
    }
    return Array(Set(errors)).sorted()
  }
}
