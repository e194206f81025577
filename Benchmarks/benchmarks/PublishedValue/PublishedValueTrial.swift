internal import BenchmarkHarness
internal import LazyInitialization
internal import Snapshots
internal import Synchronization
internal import ThreadSupport

/// Measures reads of a value that one of the reading threads replaces now and then.
final class PublishedValueTrial<Published: PublishedValue & ~Copyable>: Sendable {
  private let box: IsolatedBox<Published>
  /// The time between two publications, in nanoseconds; `nil` if there are none.
  private let interval: UInt64?
  private let lastPublication = Atomic<UInt64>(0)

  init(_ published: consuming Published, publicationsPerSecond: Int) {
    box = IsolatedBox(published)
    interval = publicationsPerSecond == 0 ? nil : UInt64(1_000_000_000 / publicationsPerSecond)
  }

  func contestant(named name: String) -> Contestant {
    Contestant(name: name) { worker, count in
      if worker == 0 { self.publishIfDue() }
      return self.box.pointer.pointee.whileReading { Self.read(self.box.pointer.pointee, count) }
    }
  }

  /// Publishes a value if `interval` has passed since the last publication.
  ///
  /// Worker 0 must call this method once in each batch. A batch takes about 20 µs, and no publication is late
  /// by much more than that.
  private func publishIfDue() {
    guard let interval else { return }
    let now = MonotonicClock.now
    guard now &- lastPublication.load(ordering: .relaxed) >= interval else { return }
    lastPublication.store(now, ordering: .relaxed)
    box.pointer.pointee.publish(Settings(1))
  }

  // This function is not inlined, so that it can be found in the machine code.
  @inline(never)
  private static func read(_ published: borrowing Published, _ count: Int) -> Int {
    var sum = 0
    for _ in 0..<count { sum &+= published.read() }
    return sum
  }
}

/// Measures publications, alone or beside a thread that stays in a read for a second at a time.
final class PublicationTrial: Sendable {
  // The snapshot is made lazily, so that runs of other suites don't start the reader's thread, which lives
  // until the process ends.
  private let snapshot: Lazy<Snapshot<Settings>>

  init(besideReader: Bool) {
    snapshot = Lazy {
      let snapshot = Snapshot(Settings(1))
      if besideReader {
        PlatformThread {
          while true { snapshot.withCurrent { _ in MonotonicClock.sleep(.seconds(1)) } }
        }.detach()
      }
      return snapshot
    }
  }

  func contestant(named name: String) -> Contestant {
    Contestant(name: name) { _, count in
      let snapshot = self.snapshot.value
      for number in 0..<count { snapshot.publish(Settings(number)) }
      return count
    }
  }
}
