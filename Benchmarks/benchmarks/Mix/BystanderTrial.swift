internal import BenchmarkHarness
internal import Synchronization

/// Measures whether a thread that uses a lock slows down a calculation on another thread.
///
/// Worker 0 does the calculation without a lock, and worker 1 uses the lock.
final class BystanderTrial<Subject: GuardedInteger & ~Copyable>: Sendable {
  private let place: IsolatedBox<LockedInteger<Subject>>
  private nonisolated(unsafe) let integer: UnsafeMutablePointer<Int>
  /// The number of batches that each worker has begun.
  private let begun = PerWorker(count: 2, repeating: 0)
  /// The number of batches that worker 0 has ended.
  private let ended = Atomic<Int>(0)

  init(_ subject: consuming Subject) {
    place = IsolatedBox(LockedInteger(subject: subject))
    integer = LockedInteger.integer(in: place.pointer)
  }

  func contestant(named name: String) -> Contestant {
    Contestant(name: name, batch: operate)
  }

  @Sendable
  private func operate(worker: Int, count: Int) -> Int {
    begun[worker] += 1
    guard worker == 0 else { return use(place.pointer.pointee.subject, until: begun[worker]) }
    let result = SectionWork(steps: count).run(from: count)
    ended.wrappingAdd(1, ordering: .releasing)
    return result
  }

  /// Reads and writes under the lock until worker 0 has ended `batch` batches.
  @inline(never)
  private func use(_ subject: borrowing Subject, until batch: Int) -> Int {
    var turns = ReadWriteMix(reads: 998, of: 1_000).turns(of: 1)
    var sum = 0
    while ended.load(ordering: .acquiring) < batch {
      for _ in 0..<20 {
        sum &+= turns.nextIsWrite() ? subject.write(integer, incremented) : subject.read(integer, unchanged)
      }
    }
    return sum
  }
}
