internal import BenchmarkHarness

/// Measures how long one writer waits among readers that do nothing but read: worker 0 writes, the others read.
final class WriterWaitTrial<Subject: GuardedInteger & ~Copyable>: Sendable {
  private let place: IsolatedBox<LockedInteger<Subject>>
  private nonisolated(unsafe) let integer: UnsafeMutablePointer<Int>

  // Sound: worker 0 alone appends, and nobody reads before the workers have been waited for.
  private nonisolated(unsafe) var waits: [Int] = []

  init(_ subject: consuming Subject) {
    place = IsolatedBox(LockedInteger(subject: subject))
    integer = LockedInteger.integer(in: place.pointer)
  }

  func contestant(named name: String) -> Contestant {
    Contestant(name: name, batch: operate, samples: { self.waits })
  }

  @Sendable
  private func operate(worker: Int, count: Int) -> Int {
    guard worker == 0 else { return Self.read(place.pointer.pointee.subject, integer, count) }
    // One write for as many operations as a reader has in its batch: what is measured are a writer's waits, not what
    // many writes do to the readers.
    let wait = Self.write(place.pointer.pointee.subject, integer)
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
    // What a reader returns is no wait.
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
