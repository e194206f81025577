#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

extension Report {
  /// Reads the JSON file that `--json` wrote.
  init(file path: String) throws(FileFailure) {
    let text = try Self.text(ofFile: path)
    do {
      self = try Report(document: try JSONParser.value(of: text))
    } catch {
      throw FileFailure(description: "\(path) is no report: \(error)")
    }
  }

  private static func text(ofFile path: String) throws(FileFailure) -> String {
    func failure() -> FileFailure {
      FileFailure(description: "can't read \(path): \(String(cString: strerror(errno)))")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure() }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure() }
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk[..<count]
    }
  }
}
