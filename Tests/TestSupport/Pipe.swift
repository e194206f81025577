internal import Foundation

/// A pipe, or two connected sockets: data written to one descriptor can be read from the other.
///
/// Both descriptors are nonblocking.
package struct Pipe: Sendable {
  /// The kind of connection.
  ///
  /// On Linux, when the reader is closed, the writer gets an error (`EPOLLERR`) from a pipe but a hang-up
  /// (`EPOLLHUP`) from a socket.
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

  /// Writes `count` bytes to the pipe, or fewer if the pipe has no room for all of them.
  ///
  /// Returns the number of bytes written; 0 after an error.
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

  /// Writes until the pipe is full.
  package func fill() {
    while write(count: 65_536) > 0 {}
  }

  /// Reads and discards available data, at most 4096 bytes.
  ///
  /// Returns the number of bytes read; 0 at the end of the stream or after an error.
  @discardableResult
  package func drain() -> Int {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    return max(0, read(reader, &bytes, bytes.count))
  }

  /// Makes another descriptor of the same open file, which the caller must close.
  package static func duplicate(_ descriptor: Int32) -> Int32 {
    let other = dup(descriptor)
    guard other >= 0 else { fatalError("dup failed with error \(errno)") }
    return other
  }

  /// Makes another descriptor of the same open file, with a number of at least 500; returns -1 after an
  /// error.
  ///
  /// New files get the lowest free numbers. After a test has closed the descriptor, its high number therefore
  /// stays unused for some time.
  package static func highDuplicate(of descriptor: Int32) -> Int32 {
    fcntl(descriptor, F_DUPFD, 500)
  }

  /// Closes a descriptor, and returns whether it was open.
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

  /// The number of open descriptors of the process, except those of regular files and of timers.
  ///
  /// On Linux, libdispatch opens both kinds at unpredictable times. It reads `/proc/…/stat` to see whether
  /// its threads are blocked, and it opens a timer for each clock when the clock's first timeout begins.
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
