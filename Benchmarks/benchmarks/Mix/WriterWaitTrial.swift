internal import BenchmarkHarness

/// Measures the waits of one writer, worker 0, among readers that read without pauses.
final class WriterWaitTrial<Subject: GuardedInteger & ~Copyable>: Sendable {
  private let box: IsolatedBox<LockedInteger<Subject>>
  private nonisolated(unsafe) let integer: UnsafeMutablePointer<Int>

  // `nonisolated(unsafe)` is sound: only worker 0 appends to `waits`. Other threads read `waits` only
  // after the workers have finished.
  private nonisolated(unsafe) var waits: [Int] = []

  init(_ subject: consuming Subject) {
    box = IsolatedBox(LockedInteger(subject: subject))
    integer = LockedInteger.integer(in: box.pointer)
  }

  func contestant(named name: String) -> Contestant {
    Contestant(name: name, batch: operate, samples: { self.waits })
  }

  @Sendable
  private func operate(worker: Int, count: Int) -> Int {
    guard worker == 0 else { return Self.read(box.pointer.pointee.subject, integer, count) }
    // A batch of the writer has only one write, because the trial measures a writer's wait and not the effect
    // of many writes on readers.
    let wait = Self.write(box.pointer.pointee.subject, integer)
    waits.append(wait)
    return wait
  }

  @inline(never)
  private static func read(
    _ subject: borrowing Subject, _ integer: UnsafeMutablePointer<Int>, _ count: Int
  ) -> Int {
    var sum = 0
    for _ in 0..<count {
      sum &+= subject.read(integer, unchanged)
    }
    // The harness takes the result of a batch for a wait. A reader measures no wait, so its result is 0.
    return sum & 0
  }

  @inline(never)
  private static func write(_ subject: borrowing Subject, _ integer: UnsafeMutablePointer<Int>) -> Int {
    let asked = Int(SystemInstruments.now())
    return subject.write(integer) { value in
      value &+= 1
      return Int(SystemInstruments.now()) - asked
    }
  }
}
