internal import Foundation
internal import Jobs
internal import Synchronization

/// Handles Ctrl-C and the other signals that ask the program to end.
///
/// The program must poll `signal`, write the figures that are finished, and exit. If it does not, for example
/// because nothing reads its output, the process ends less than two seconds after the signal.
package enum Interruption {
  private static let first = Atomic<Int32>(0)

  /// The first signal that asked the program to end; `nil` if there was none.
  package static var signal: Int32? {
    let number = first.load(ordering: .acquiring)
    return number == 0 ? nil : number
  }

  /// Begins to watch for signals; must be called before the program starts another thread.
  ///
  /// All threads then block the signals, and a thread of their own waits for one. SIGHUP stays ignored if the
  /// program was started with it ignored, as under `nohup`.
  package static func watch() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGQUIT, SIGTERM] { sigaddset(&signals, number) }
    let before = Foundation.signal(SIGHUP, SIG_DFL)
    if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      Foundation.signal(SIGHUP, SIG_IGN)
    } else {
      sigaddset(&signals, SIGHUP)
    }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    JoinedThreads(1) { [signals] _ in
      var (signals, number) = (signals, Int32(0))
      while sigwait(&signals, &number) != 0 {}
      first.store(number, ordering: .releasing)
      usleep(1_700_000)
      _exit(128 + number)
    }.detach()
  }
}
