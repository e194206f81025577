internal import BenchmarkHarness

/// Measures how late a thread is back from a wait that its timeout ends, while others write: worker 0 waits,
/// for what never comes; the others do nothing but write.
final class TimeoutTrial: Sendable {
  /// How long a wait is to take.
  private static let limit: UInt64 = 200_000

  private let subject: any VainWaiting

  // Sound: worker 0 alone appends, and nobody reads before the workers have been waited for.
  private nonisolated(unsafe) var delays: [Int] = []

  private init(_ subject: any VainWaiting) {
    self.subject = subject
  }

  static func contestant(_ name: String, _ subject: some VainWaiting) -> Contestant {
    let trial = TimeoutTrial(subject)
    return Contestant(name: name, batch: trial.operate, samples: { trial.delays })
  }

  @Sendable
  private func operate(worker: Int, count: Int) -> Int {
    guard worker == 0 else {
      for _ in 0..<count { subject.write() }
      // What a writer returns is no delay.
      return 0
    }
    let start = SystemInstruments.now()
    subject.waitInVain(nanoseconds: Self.limit)
    let elapsed = SystemInstruments.now() - start
    let delay = Int(elapsed) - Int(Self.limit)
    delays.append(delay)
    return delay
  }
}
