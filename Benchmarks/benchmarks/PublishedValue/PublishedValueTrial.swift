internal import BenchmarkHarness
internal import Synchronization
internal import ThreadSupport

/// Measures reads of a value that one of the reading threads replaces now and then.
final class PublishedValueTrial<Published: PublishedValue & ~Copyable>: Sendable {
  private let place: IsolatedBox<Published>
  /// The time between two publications, in nanoseconds; `nil` if there are none.
  private let interval: UInt64?
  private let lastPublication = Atomic<UInt64>(0)

  init(_ published: consuming Published, publicationsPerSecond: Int) {
    place = IsolatedBox(published)
    interval = publicationsPerSecond == 0 ? nil : UInt64(1_000_000_000 / publicationsPerSecond)
  }

  func contestant(named name: String) -> Contestant {
    Contestant(name: name) { worker, count in
      if worker == 0 { self.publishIfDue() }
      return self.place.pointer.pointee.whileReading { Self.read(self.place.pointer.pointee, count) }
    }
  }

  /// Publishes a value, if it is time; called once in a batch, that is, every 20 microseconds.
  private func publishIfDue() {
    guard let interval else { return }
    let now = MonotonicClock.now
    guard now &- lastPublication.load(ordering: .relaxed) >= interval else { return }
    lastPublication.store(now, ordering: .relaxed)
    place.pointer.pointee.publish(Settings(1))
  }

  // Not inlined, so that it can be found in the machine code.
  @inline(never)
  private static func read(_ published: borrowing Published, _ count: Int) -> Int {
    var sum = 0
    for _ in 0..<count { sum &+= published.read() }
    return sum
  }
}
