#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// A pipe, or two connected sockets: data written to one descriptor can be read from the other.
///
/// Neither descriptor blocks.
package struct Pipe: Sendable {
  /// On Linux a closed end of a pipe is an error (`EPOLLERR`) for the writer; one of a socket is a hang-up.
  package enum Kind: CaseIterable, Codable, Sendable { case pipe, sockets }

  package let reader: Int32
  package let writer: Int32

  package init(_ kind: Kind = .pipe) {
    var ends: [Int32] = [0, 0]
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let isMade = kind == .pipe ? pipe(&ends) : socketpair(AF_UNIX, stream, 0, &ends)
    guard isMade == 0 else { fatalError("no \(kind): error \(errno)") }
    for end in ends {
      guard fcntl(end, F_SETFL, O_NONBLOCK) == 0 else { fatalError("fcntl failed with error \(errno)") }
    }
    reader = ends[0]
    writer = ends[1]
  }

  /// Writes `count` bytes to the pipe, or fewer if it has no room for all of them.
  ///
  /// Returns the number of bytes.
  @discardableResult
  package func write(count: Int) -> Int {
    let bytes = [UInt8](repeating: 7, count: count)
    #if canImport(Darwin)
      let written = Darwin.write(writer, bytes, count)
    #elseif canImport(Glibc)
      let written = Glibc.write(writer, bytes, count)
    #else
      let written = Musl.write(writer, bytes, count)
    #endif
    return max(0, written)
  }

  /// Writes until the pipe has no room left.
  package func fill() {
    while write(count: 65_536) > 0 {}
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

  /// The number of open descriptors of the process, without those that libdispatch opens when it pleases.
  ///
  /// On Linux libdispatch sometimes reads `/proc/…/stat`, to see whether its threads are blocked. So a regular
  /// file can be open that no test has opened. It also opens a timer for each clock, when the first timeout of
  /// that clock begins. Pipes and epoll instances are neither.
  package static var openCount: Int {
    (0..<Int32(4_096)).count { descriptor in
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return false }
      return !isTimer(descriptor)
    }
  }

  private static func isTimer(_ descriptor: Int32) -> Bool {
    let name = Array("anon_inode:[timerfd]".utf8)
    var target = [CChar](repeating: 0, count: 64)
    let length = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
    return length > 0 && target[..<length].map { UInt8(bitPattern: $0) } == name
  }
}
