internal import BenchmarkHarness

/// Measures whether a thread that uses a lock slows down a calculation on another thread.
///
/// Worker 0 does the calculation without a lock. Worker 1 uses the lock, and its operations don't count (see
/// `Contest.attendants`).
final class BystanderTrial<Subject: GuardedInteger & ~Copyable>: Sendable {
  private let box: IsolatedBox<LockedInteger<Subject>>
  private nonisolated(unsafe) let integer: UnsafeMutablePointer<Int>

  init(_ subject: consuming Subject) {
    box = IsolatedBox(LockedInteger(subject: subject))
    integer = LockedInteger.integer(in: box.pointer)
  }

  func contestant(named name: String) -> Contestant {
    Contestant(name: name) { worker, count in
      worker == 0
        ? SectionWork(steps: count).run(from: count)
        : Self.use(self.box.pointer.pointee.subject, self.integer)
    }
  }

  /// Runs the batch of worker 1: reads and writes under the lock.
  ///
  /// The batch is always 1,000 accesses, regardless of the harness's batch size. It therefore ends soon after
  /// the last batch of worker 0.
  @inline(never)
  private static func use(_ subject: borrowing Subject, _ integer: UnsafeMutablePointer<Int>) -> Int {
    let mix = ReadWriteMix(reads: 998, of: 1_000)
    var turns = mix.turns(of: 1)
    var sum = 0
    for _ in 0..<mix.period {
      sum &+= turns.nextIsWrite() ? subject.write(integer, incremented) : subject.read(integer, unchanged)
    }
    return sum
  }
}
