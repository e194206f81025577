import Foundation

/// A mistake that a module is meant to prevent, read from a folder of source files.
///
/// One file makes the mistake, one corrects it, and others make the same mistake with the locks of other
/// libraries (see `Peer`).
struct Case {
  let name: String
  /// The module of this package that the mistake is about.
  let module: String
  /// A short description of the mistake.
  let title: String
  /// The bug that the mistake would cause.
  let bug: String
  let wrong: SourceFile
  let fixed: SourceFile
  /// The outcome that the file `wrong` must have when it is compiled or run, as its header comment states.
  let expectation: Expectation
  let peers: [Peer: SourceFile]
  /// For each peer (see `Peer`) without a file in this case, the reason why it has none.
  let excuses: [Peer: String]

  enum Expectation {
    /// The compiler reports the errors in `SourceFile.expectedErrors`.
    case refused
    /// The compiler reports the warnings in `SourceFile.expectedErrors`.
    case warned(reason: String)
    case traps(sentence: String)
    case hangs(reason: String)
    case silentlyWrong(reason: String)
  }

  /// Reads the folder of a case.
  ///
  /// Throws a `Problem` if a file is missing, or does not have the form that a case needs.
  init(_ folder: URL) throws {
    name = folder.lastPathComponent
    wrong = try Self.file("wrong", in: folder)
    fixed = try Self.file("fixed", in: folder)

    let modules = wrong.imports.filter { !Self.otherModules.contains($0) }
    guard let module = modules.first else {
      throw Problem(name, "wrong.swift imports no module of the package")
    }
    self.module = module

    var expectation = Expectation.refused
    var excuses: [Peer: String] = [:]
    var text: [String] = []
    for paragraph in wrong.header {
      if let sentence = paragraph.without(prefix: "Traps: ") {
        expectation = .traps(sentence: sentence)
      } else if let reason = paragraph.without(prefix: "Warned: ") {
        expectation = .warned(reason: reason)
      } else if let reason = paragraph.without(prefix: "Hangs: ") {
        expectation = .hangs(reason: reason)
      } else if let reason = paragraph.without(prefix: "Silently wrong: ") {
        expectation = .silentlyWrong(reason: reason)
      } else if let excuse = paragraph.without(prefix: "Not with ") {
        let parts = excuse.split(separator: ": ", maxSplits: 1)
        guard parts.count == 2 else { throw Problem(name, "no reason: Not with \(excuse)") }
        for name in parts[0].split(separator: ", ") {
          guard let peer = Peer(rawValue: String(name)) else { throw Problem(self.name, "no peer \(name)") }
          excuses[peer] = String(parts[1])
        }
      } else {
        text.append(paragraph)
      }
    }
    guard text.count >= 2 else {
      throw Problem(
        name, "wrong.swift has to begin with a comment: the mistake; then the bug that it would be")
    }
    title = text[0].last == "." ? String(text[0].dropLast()) : text[0]
    bug = text.dropFirst().joined(separator: " ")
    self.expectation = expectation
    self.excuses = excuses

    var peers: [Peer: SourceFile] = [:]
    for peer in Peer.allCases {
      let exists = FileManager.default.fileExists(atPath: Self.url(of: peer.rawValue, in: folder).path)
      if exists { peers[peer] = try Self.file(peer.rawValue, in: folder) }
      guard exists != (excuses[peer] != nil) else {
        throw Problem(
          name, exists ? "\(peer.rawValue).swift exists, and `Not with` it too" : "no \(peer.rawValue).swift")
      }
    }
    self.peers = peers
    try checkTwin()
  }

  private static let otherModules: Set = ["CaseSupport", "Dispatch", "Foundation", "Synchronization"]

  private static func url(of name: String, in folder: URL) -> URL {
    folder.appendingPathComponent("\(name).swift")
  }

  private static func file(_ name: String, in folder: URL) throws -> SourceFile {
    let url = url(of: name, in: folder)
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw Problem(folder.lastPathComponent, "no \(name).swift")
    }
    return try SourceFile(url)
  }

  /// Checks that the corrected file differs from the wrong file, but only in a few lines.
  private func checkTwin() throws {
    let difference = fixed.code.difference(from: wrong.code)
    guard !difference.isEmpty else { throw Problem(name, "fixed.swift does not differ from wrong.swift") }
    let mostLines = 12
    guard difference.count <= mostLines else {
      throw Problem(
        name,
        "fixed.swift differs from wrong.swift in \(difference.count) lines; \(mostLines) are a lot for a fix")
    }
    guard fixed.expectedErrors.isEmpty else { throw Problem(name, "fixed.swift expects an error") }
  }
}

extension String {
  /// The text after `prefix`; `nil` if the string does not begin with it.
  func without(prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
