internal import BenchmarkHarness

/// Measures a lock under a changing load: each batch is read-mostly, then write-heavy, then read-mostly.
///
/// A lock that adapts must notice two changes in each batch, and is slower until it does.
final class PhaseTrial<Subject: GuardedInteger & ~Copyable>: Sendable {
  /// The number of operations in one phase; the size of a batch must be a multiple of three phases.
  static var phaseLength: Int { 20_000 }

  private let box: IsolatedBox<LockedInteger<Subject>>
  private nonisolated(unsafe) let integer: UnsafeMutablePointer<Int>

  init(_ subject: consuming Subject) {
    box = IsolatedBox(LockedInteger(subject: subject))
    integer = LockedInteger.integer(in: box.pointer)
  }

  func contestant(named name: String) -> Contestant {
    Contestant(name: name, batch: operate)
  }

  @Sendable
  private func operate(worker: Int, count: Int) -> Int {
    Self.phases(box.pointer.pointee.subject, integer, count / (3 * Self.phaseLength), worker)
  }

  @inline(never)
  private static func phases(
    _ subject: borrowing Subject, _ integer: UnsafeMutablePointer<Int>, _ count: Int, _ worker: Int
  ) -> Int {
    let readMostly = ReadWriteMix(reads: 9_999, of: 10_000)
    let writeHeavy = ReadWriteMix(reads: 50)
    var sum = 0
    for _ in 0..<count {
      for mix in [readMostly, writeHeavy, readMostly] {
        var turns = mix.turns(of: worker)
        for _ in 0..<phaseLength {
          sum &+=
            turns.nextIsWrite()
            ? subject.write(integer, incremented) : subject.read(integer, unchanged)
        }
      }
    }
    return sum
  }
}
