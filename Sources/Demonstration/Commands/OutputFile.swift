#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

// The system's function `write`. Inside `OutputFile`, the plain name would mean the method `write(_:)`.
private let posixWrite = write

/// An output file that is opened before its text is computed.
///
/// Because the file is opened early, an unwritable path is reported immediately, not after minutes of work.
/// The file keeps its old contents until the new text is written.
package struct OutputFile: ~Copyable {
  package let path: String
  private let descriptor: Int32

  /// Opens the file for writing, and keeps its contents; creates the file if it does not exist.
  package init(path: String) throws(FileFailure) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.failure(path) }
    self.path = path
  }

  deinit {
    close(descriptor)
  }

  /// Whether the file is empty.
  package var isEmpty: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_size == 0
  }

  /// Replaces the contents of the file.
  package consuming func write(_ text: String) throws(FileFailure) {
    try clear()
    try append(text)
  }

  /// Removes the contents of the file.
  package borrowing func clear() throws(FileFailure) {
    // EINVAL is no failure: a pipe or a terminal can't be truncated, and has no contents to remove.
    if ftruncate(descriptor, 0) != 0, errno != EINVAL { throw Self.failure(path) }
  }

  /// Appends to the text written before.
  package borrowing func append(_ text: String) throws(FileFailure) {
    guard Self.writeAll(text, to: descriptor) else { throw Self.failure(path) }
  }

  /// Writes all of the text; blocks while the descriptor, even a nonblocking one, has no room.
  ///
  /// Returns `false` if a write fails; `errno` then has the reason.
  package static func writeAll(_ text: String, to descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = posixWrite(descriptor, rest.baseAddress, rest.count)
        guard count > 0 else {
          guard count < 0, errno == EINTR || waitForRoom(descriptor) else { return false }
          continue
        }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
      return true
    }
  }

  /// Waits after a failed write until a nonblocking descriptor has room again, and returns `true`.
  ///
  /// Returns `false` immediately, with `errno` unchanged, if the write failed for another reason than a full
  /// buffer.
  private static func waitForRoom(_ descriptor: Int32) -> Bool {
    guard errno == EAGAIN else { return false }
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&entry, 1, -1) == 1 || errno == EINTR
  }

  /// Creates a directory and its missing parents; does nothing if the path already exists, even as a file.
  package static func createDirectory(_ path: String) throws(FileFailure) {
    var made = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/") {
      made += "\(name)/"
      if mkdir(made, 0o777) != 0, errno != EEXIST { throw failure(made) }
    }
  }

  static func failure(_ path: String) -> FileFailure {
    FileFailure("can't write \(path): \(String(cString: strerror(errno)))")
  }
}
