import Foundation

/// A signal that a process sends to itself.
enum ProcessSignal {
  /// The first signal that is free for programs to use.
  static let number = SIGUSR1

  /// Ignores the signal, so that it does not end the process.
  static func ignore() {
    signal(number, SIG_IGN)
  }

  static func send() {
    kill(getpid(), number)
  }
}
