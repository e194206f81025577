import Foundation

/// A Swift file of a case, and the expectations in its comments.
struct SourceFile {
  let url: URL
  let lines: [String]

  init(_ url: URL) throws {
    self.url = url
    lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
  }

  /// The paragraphs of the comment at the beginning of the file.
  var header: [String] {
    var paragraphs: [[String]] = [[]]
    for line in lines {
      guard line.hasPrefix("//") else { break }
      let text = line.dropFirst(2).trimmingCharacters(in: .whitespaces)
      if text.isEmpty { paragraphs.append([]) } else { paragraphs[paragraphs.count - 1].append(text) }
    }
    return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
  }

  /// Whether the file can be run as a program: it has a global function `run()`.
  var isProgram: Bool { entryPoint != nil }

  /// The code that calls the function `run()` of the file; `nil` if the file has no such function.
  var entryPoint: String? {
    lines.lazy.compactMap { line in
      switch line.without(prefix: "@MainActor ") ?? line {
      case "func run() {": "@main @MainActor enum Program { static func main() { run() } }\n"
      case "func run() async {":
        "@main @MainActor enum Program { static func main() async { await run() } }\n"
      default: nil
      }
    }.first
  }

  /// The lines of code that are compiled if the condition `WRONG` has the value `isWrong`, without comments
  /// and empty lines.
  func code(isWrong: Bool) -> [String] {
    var isCompiled = true
    return lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { line in
      switch line {
      case "#if WRONG": isCompiled = isWrong
      case "#if !WRONG": isCompiled = !isWrong
      case "#else": isCompiled.toggle()
      case "#endif": isCompiled = true
      default: return isCompiled && !line.isEmpty && !line.hasPrefix("//")
      }
      return false
    }
  }

  // MARK: Expected errors

  private static let mark = "// error: "

  /// The errors that the file expects: each is stated in a comment below the line of code that causes it.
  var expectedErrors: [Diagnostic] {
    var errors: [Diagnostic] = []
    var codeLine = 0
    var isInMessage = false
    for (index, line) in lines.enumerated() {
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.hasPrefix(Self.mark) {
        errors.append(Diagnostic(line: codeLine, message: String(text.dropFirst(Self.mark.count))))
        isInMessage = true
      } else if text.hasPrefix("//"), isInMessage {
        errors[errors.count - 1].message += " " + text.dropFirst(2).trimmingCharacters(in: .whitespaces)
      } else {
        if !text.isEmpty, !text.hasPrefix("//") { codeLine = index + 1 }
        isInMessage = false
      }
    }
    return errors
  }

  /// The file's text, with the comments about expected errors replaced by comments that expect `errors`.
  func text(expecting errors: [Diagnostic]) -> String {
    var result: [String] = []
    var isInMessage = false
    for (index, line) in lines.enumerated() {
      let text = line.trimmingCharacters(in: .whitespaces)
      isInMessage = text.hasPrefix(Self.mark) || isInMessage && text.hasPrefix("//")
      if isInMessage { continue }
      result.append(line)
      let margin = String(line.prefix { $0 == " " })
      for error in errors.sorted() where error.line == index + 1 {
        result += Self.wrap(Self.mark + error.message, margin: margin)
      }
    }
    return result.joined(separator: "\n")
  }

  private static func wrap(_ comment: String, margin: String) -> [String] {
    var lines = [margin]
    for word in comment.split(separator: " ") {
      if lines.last!.count + word.count > 100 { lines.append(margin + "//") }
      lines[lines.count - 1] += (lines.last! == margin ? "" : " ") + word
    }
    return lines
  }
}

extension String {
  /// The text after `prefix`; `nil` if the string does not begin with it.
  func without(prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
