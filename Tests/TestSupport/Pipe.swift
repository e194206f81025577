#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// A pipe: data written to one descriptor can be read from the other.
///
/// Neither descriptor blocks. Tests never fill the pipe.
package struct Pipe: Sendable {
  package let reader: Int32
  package let writer: Int32

  package init() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { fatalError("pipe failed with error \(errno)") }
    for end in ends {
      guard fcntl(end, F_SETFL, O_NONBLOCK) == 0 else { fatalError("fcntl failed with error \(errno)") }
    }
    reader = ends[0]
    writer = ends[1]
  }

  /// Writes `count` bytes to the pipe.
  package func write(count: Int) {
    let bytes = [UInt8](repeating: 7, count: count)
    #if canImport(Darwin)
      _ = Darwin.write(writer, bytes, count)
    #elseif canImport(Glibc)
      _ = Glibc.write(writer, bytes, count)
    #else
      _ = Musl.write(writer, bytes, count)
    #endif
  }

  /// Reads available data, at most 4096 bytes.
  ///
  /// Returns the number of bytes.
  @discardableResult
  package func drain() -> Int {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    return max(0, read(reader, &bytes, bytes.count))
  }

  /// Makes another descriptor of the same file.
  package static func duplicate(_ descriptor: Int32) -> Int32 {
    let other = dup(descriptor)
    guard other >= 0 else { fatalError("dup failed with error \(errno)") }
    return other
  }

  /// Makes another descriptor of the same file, with a high number that the system does not soon reuse.
  package static func highDuplicate(of descriptor: Int32) -> Int32 {
    fcntl(descriptor, F_DUPFD, 500)
  }

  /// Closes a descriptor.
  ///
  /// Returns whether it was open.
  @discardableResult
  package static func close(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      Darwin.close(descriptor) == 0
    #elseif canImport(Glibc)
      Glibc.close(descriptor) == 0
    #else
      Musl.close(descriptor) == 0
    #endif
  }

  /// Whether a descriptor is open.
  package static func isOpen(_ descriptor: Int32) -> Bool {
    fcntl(descriptor, F_GETFD) != -1
  }

  /// The number of open descriptors of the process, without those of regular files.
  ///
  /// On Linux libdispatch sometimes reads `/proc/…/stat`, to see whether its threads are blocked. So a file can
  /// be open that no test has opened. Pipes and epoll instances are not regular files.
  package static var openCount: Int {
    (0..<Int32(4_096)).count { descriptor in
      var status = stat()
      return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }
  }
}
