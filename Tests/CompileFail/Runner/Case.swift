import Foundation

/// A mistake that a module is meant to prevent, read from a folder of source files.
///
/// `mistake.swift` contains the mistake if it is compiled with the condition `WRONG`, and the correction
/// otherwise. Other files make the same mistake with the locks of other libraries.
struct Case {
  let name: String
  /// The module of this package that the mistake is about.
  let module: String
  /// A short description of the mistake.
  let title: String
  /// The bug that the mistake would cause.
  let bug: String
  let mistake: SourceFile
  /// The outcome that the mistake must have when it is compiled or run, as the header comment of
  /// `mistake.swift` states.
  let expectation: Expectation
  let peers: [Peer: SourceFile]
  /// For each `Peer` without a file in the folder, the reason why it has none.
  let excuses: [Peer: String]

  enum Expectation {
    /// The compiler reports the errors in `SourceFile.expectedErrors`.
    case refused
    /// The compiler reports the warnings in `SourceFile.expectedErrors`, where warnings count as errors.
    ///
    /// `reason` says why the mistake is not an error.
    case warned(reason: String)
    case traps(sentence: String)
    case hangs(reason: String)
    case silentlyWrong(reason: String)
  }

  /// Reads the folder of a case.
  ///
  /// Throws a `Problem` if the folder is not a valid case, for example if `mistake.swift` is missing.
  init(_ folder: URL) throws {
    name = folder.lastPathComponent
    var files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    guard let index = files.firstIndex(of: Self.fileName) else { throw Problem(name, "no \(Self.fileName)") }
    mistake = try SourceFile(folder.appendingPathComponent(files.remove(at: index)))

    let modules = mistake.imports.filter { !Self.otherModules.contains($0) }
    guard let module = modules.first else {
      throw Problem(name, "\(Self.fileName) imports no module of the package")
    }
    self.module = module

    var expectation = Expectation.refused
    var excuses: [Peer: String] = [:]
    var text: [String] = []
    for paragraph in mistake.header {
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
        name, "\(Self.fileName) has to begin with a comment: the mistake; then the bug that it would be")
    }
    title = text[0].last == "." ? String(text[0].dropLast()) : text[0]
    bug = text.dropFirst().joined(separator: " ")
    self.expectation = expectation
    self.excuses = excuses

    var peers: [Peer: SourceFile] = [:]
    for file in files {
      let source = try SourceFile(folder.appendingPathComponent(file))
      for word in source.url.deletingPathExtension().lastPathComponent.split(separator: "+") {
        guard let peer = Peer(rawValue: String(word)) else { throw Problem(name, "no peer \(word)") }
        guard peers.updateValue(source, forKey: peer) == nil else {
          throw Problem(name, "two files with \(word)")
        }
      }
    }
    for peer in Peer.allCases where (peers[peer] != nil) == (excuses[peer] != nil) {
      throw Problem(
        name,
        peers[peer] != nil
          ? "a file with \(peer.rawValue), and `Not with` it too" : "no \(peer.rawValue).swift")
    }
    self.peers = peers
    try checkFix()
  }

  private static let fileName = "mistake.swift"
  private static let otherModules: Set = ["Dispatch", "Foundation", "Synchronization"]

  /// Throws a `Problem` if the correction equals the mistake, or is too large.
  ///
  /// It is too large if the number of added lines plus the number of removed lines is more than 12.
  private func checkFix() throws {
    let difference = mistake.code(isWrong: false).difference(from: mistake.code(isWrong: true))
    guard !difference.isEmpty else { throw Problem(name, "the correction does not differ from the mistake") }
    let mostLines = 12
    guard difference.count <= mostLines else {
      throw Problem(
        name, "the correction differs in \(difference.count) lines; \(mostLines) are a lot for a fix")
    }
  }
}

extension String {
  /// The text after `prefix`; `nil` if the string does not begin with it.
  func without(prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
