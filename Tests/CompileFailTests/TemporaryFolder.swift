import Foundation

/// A folder with files, which is removed when this value is destroyed.
struct TemporaryFolder: ~Copyable {
  let url: URL

  /// Makes a folder.
  ///
  /// - Parameter files: The text of each file, by its path in the folder.
  init(_ files: [String: String]) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "CompileFailTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (path, text) in files {
      let file = url.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
