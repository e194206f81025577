import Foundation

/// A signal that a process sends to itself.
enum ProcessSignal {
  /// The first signal that is free for programs to use.
  static let number = SIGUSR1

  /// Ignores the signal, so that it does not end the process.
  static func ignore() {
    signal(number, SIG_IGN)
  }

  /// Handles the signal by a function that does nothing.
  static func catchIt() {
    signal(number) { _ in }
  }

  #if os(Linux)
    /// Whether the signal would end the process.
    static var hasDefaultAction: Bool {
      var action = sigaction()
      sigaction(number, nil, &action)
      return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 0
    }
  #endif

  /// Writes a text to standard output, and sends the signal.
  static func send(after text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
    send()
  }

  static func send() {
    kill(getpid(), number)
  }
}
