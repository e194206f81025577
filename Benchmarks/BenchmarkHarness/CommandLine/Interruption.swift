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
/// The program must poll `signal`, write the figures that are finished, and exit. If its main thread is
/// blocked, for example because nothing reads its output, the process ends within two seconds. If the main
/// thread runs, it has up to 17 seconds. A further signal has no effect in the first two seconds after the
/// first one; later it ends the process immediately.
package enum Interruption {
  /// The time from a signal to the forced end of the process, in milliseconds, if the main thread is blocked.
  ///
  /// If the main thread runs, the time is up to ten times as long.
  private static let limitMilliseconds: UInt64 = 1_700

  private static let first = Atomic<Int32>(0)

  /// The first signal that asked the program to end; `nil` if there was none.
  package static var signal: Int32? {
    let number = first.load(ordering: .acquiring)
    return number == 0 ? nil : number
  }

  /// Installs the signal handlers.
  ///
  /// Before this call, `signal` is `nil`, and a signal ends the program immediately.
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

  /// Ends the process with `status`, within two seconds even if an exit handler blocks.
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

  /// Waits for `limitMilliseconds`, and then ends the process without running exit handlers.
  ///
  /// While the main thread runs, waits up to ten times as long, so that the program can exit by itself.
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
  /// - Parameter pipe: The descriptor of a pipe that receives a byte for each signal: the signal's number.
  private static func next(_ pipe: Int32) -> Int32 {
    var byte: UInt8 = 0
    while read(pipe, &byte, 1) != 1 {
      var entry = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, -1)
    }
    return Int32(byte)
  }
}
