#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// A signal that a process sends to itself.
package enum ProcessSignal {
  /// The first signal that is free for programs to use.
  package static let number = SIGUSR1

  /// Ignores the signal, so that it does not end the process.
  package static func ignore() {
    signal(number, SIG_IGN)
  }

  package static func send() {
    kill(getpid(), number)
  }
}
