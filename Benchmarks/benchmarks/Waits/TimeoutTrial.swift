internal import BenchmarkHarness

/// Measures how late a timed wait returns while other threads write.
///
/// Worker 0 waits for a condition that never holds, and the other workers write.
final class TimeoutTrial: Sendable {
  /// The timeout of a wait, in nanoseconds.
  private static let limit: UInt64 = 200_000

  private let subject: any VainWaiting

  // `nonisolated(unsafe)` is sound: only worker 0 appends to `delays`. Other threads read `delays` only
  // after the workers have finished.
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
      // The harness interprets a batch's result as a delay. A writer measures no delay, so its result is 0.
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
