internal import CPseudoTerminal
internal import Foundation
internal import LiveTables
internal import Testing

/// A terminal without a user or a screen: tests type and read at its other end.
final class PseudoTerminal {
  /// The path at which a program opens the terminal.
  let path: String
  private var master: Int32
  /// The program's end of the terminal, kept open to read the modes even after the program has ended.
  private let slave: Int32

  init(size: Size) throws {
    var name = [CChar](repeating: 0, count: 128)
    master = pseudo_terminal_open(&name, name.count)
    try #require(master >= 0)
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(slave >= 0)
    resize(size)
  }

  deinit {
    close(slave)
    if master >= 0 { close(master) }
  }

  /// The terminal's modes.
  var modes: [UInt8] {
    get {
      var modes = termios()
      tcgetattr(slave, &modes)
      return withUnsafeBytes(of: modes) { Array($0) }
    }
    set {
      var modes = newValue.withUnsafeBytes { $0.loadUnaligned(as: termios.self) }
      tcsetattr(slave, TCSANOW, &modes)
    }
  }

  /// Resizes the terminal.
  ///
  /// The system notifies the program of the new size.
  func resize(_ size: Size) {
    var size = winsize(
      ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Types bytes, as if a user pressed keys.
  func type(_ bytes: some Sequence<UInt8>) {
    Array(bytes).withUnsafeBytes { _ = write(master, $0.baseAddress, $0.count) }
  }

  /// Closes the terminal.
  func hangUp() {
    close(master)
    master = -1
  }

  /// Reads available output, or waits up to `milliseconds` for it; returns no bytes if none arrives.
  func readSome(milliseconds: Int32) -> [UInt8] {
    var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0, entry.revents & Int16(POLLIN) != 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(master, &bytes, bytes.count)
    return Array(bytes[..<max(0, count)])
  }

  /// Reads all remaining output; the program must have ended, because this function does not wait.
  func readAll() -> String {
    var bytes: [UInt8] = []
    while case let more = readSome(milliseconds: 0), !more.isEmpty { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }
}
