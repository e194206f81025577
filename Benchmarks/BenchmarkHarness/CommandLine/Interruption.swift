internal import CTerminal
internal import Synchronization
internal import ThreadSupport

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Handles Ctrl-C and the other signals that ask the program to end.
///
/// The program notices `signal`, and ends with the figures that are finished. It ends within two seconds even
/// if it can't go on, for example because its output is not read. Only where other programs keep the
/// processors busy, it takes the time that it needs to write the figures. Later signals have no effect.
package enum Interruption {
  /// The time from a signal to the end of the program, at most, in milliseconds.
  private static let limitMilliseconds: UInt64 = 1_700

  private static let first = Atomic<Int32>(0)

  /// The first signal that asked the program to end; `nil` if there was none.
  package static var signal: Int32? {
    let number = first.load(ordering: .acquiring)
    return number == 0 ? nil : number
  }

  /// Installs the handlers; from now on `signal` may have a value.
  package static func watch() {
    let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]
    let pipe = terminal_watch_signals(signals, signals.count, nil)
    // If the handlers can't be installed, the program continues, and the first signal ends it.
    guard pipe >= 0 else { return }
    PlatformThread {
      let number = next(pipe)
      first.store(number, ordering: .releasing)
      end(128 + number)
    }.detach()
  }

  /// Ends the process with `status`, within two seconds even if code that runs at the exit does not end.
  package static func exit(_ status: Int32) -> Never {
    PlatformThread { end(status) }.detach()
    #if canImport(Darwin)
      Darwin.exit(status)
    #elseif canImport(Glibc)
      Glibc.exit(status)
    #else
      Musl.exit(status)
    #endif
  }

  /// Waits, and then ends the process immediately.
  private static func end(_ status: Int32) {
    let start = MonotonicClock.now
    while case let waited = (MonotonicClock.now - start) / 1_000_000,
      waited < limitMilliseconds || (waited < 10 * limitMilliseconds && Platform.mainThreadRuns)
    {
      MonotonicClock.sleep(.milliseconds(50))
    }
    _exit(status)
  }

  /// Waits for a signal, and returns its number.
  ///
  /// - Parameter pipe: A descriptor from which a byte is read for each signal.
  private static func next(_ pipe: Int32) -> Int32 {
    var byte: UInt8 = 0
    while read(pipe, &byte, 1) != 1 {
      var entry = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, -1)
    }
    return Int32(byte)
  }
}
