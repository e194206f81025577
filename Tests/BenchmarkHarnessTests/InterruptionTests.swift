internal import BenchmarkHarness
internal import Foundation
internal import Testing

@Suite("Interruption")
struct InterruptionTests {
  /// Sends the signal of Ctrl-C to the process, as a terminal does, and waits until it is handled.
  ///
  /// The signal is not sent to the calling thread, because a test's thread blocks all signals.
  private static func interrupt() {
    Interruption.watch()
    precondition(!Interruption.hasHappened)
    kill(getpid(), SIGINT)
    while !Interruption.hasHappened {
      sched_yield()
    }
  }

  @Test("The first Ctrl-C is only remembered")
  func first() async {
    await #expect(processExitsWith: .exitCode(42)) {
      Self.interrupt()
      exit(42)
    }
  }

  @Test("One that comes at once is not needed; one that comes later ends the program")
  func second() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      Self.interrupt()
      kill(getpid(), SIGTERM)
      while true {
        usleep(100_000)
        kill(getpid(), SIGINT)
      }
    }
  }
}
