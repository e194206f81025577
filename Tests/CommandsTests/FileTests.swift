internal import Commands
internal import Foundation
internal import TestSupport
internal import Testing

@Suite("Files")
struct FileTests {
  /// A path for a temporary file that does not exist.
  private let path = temporaryPath("commands")

  @Test("Appended text follows the earlier text, and clearing removes all of it")
  func output() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try String(repeating: "x", count: 1_000).write(toFile: path, atomically: false, encoding: .utf8)
    let file = try OutputFile(path: path)
    try file.clear()
    try file.append("one\n")
    try file.append("two µ\n")
    #expect(try InputFile.text(path: path) == "one\ntwo µ\n")
  }

  @Test("A file of any size is read")
  func largeInput() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let text = String(repeating: "0123456789µ", count: 20_000)
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try InputFile.text(path: path) == text)
    try "".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try InputFile.text(path: path) == "")
  }

  @Test("An unreadable file is refused with the reason")
  func unreadableInput() throws {
    #expect(throws: FileFailure("can't read \(path): No such file or directory")) {
      try InputFile.text(path: path)
    }
    #expect(throws: FileFailure("can't read /: Is a directory")) { try InputFile.text(path: "/") }
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data([0x61, 0xFF]).write(to: URL(fileURLWithPath: path))
    #expect(throws: FileFailure("can't read \(path): it is no text in UTF-8")) {
      try InputFile.text(path: path)
    }
  }
}
