#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// A file that is read as a whole.
package enum InputFile {
  /// Reads the file at `path`; throws if it can't be read or is not valid UTF-8.
  package static func text(path: String) throws(FileFailure) -> String {
    guard let file = fopen(path, "r") else { throw failure(path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    guard ferror(file) == 0 else { throw failure(path) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FileFailure("can't read \(path): it is no text in UTF-8")
    }
    return text
  }

  private static func failure(_ path: String) -> FileFailure {
    FileFailure("can't read \(path): \(String(cString: strerror(errno)))")
  }
}
