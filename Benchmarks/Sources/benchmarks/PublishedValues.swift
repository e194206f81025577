internal import BenchmarkHarness
internal import Foundation
internal import Jobs
internal import LazyInitialization
internal import Protectors
@_spi(Benchmarks) internal import Snapshots
internal import Synchronization

/// The value that threads read while it is replaced now and then.
private struct Settings: Sendable {
  var words: (Int, Int, Int, Int, Int, Int, Int, Int)

  init(_ number: Int) { words = (number, 0, 0, 0, 0, 0, 0, 0) }
}

/// A way to publish a value.
private protocol PublishedValue: Sendable, ~Copyable {
  borrowing func read() -> Int
  borrowing func publish(_ settings: Settings)
  /// Calls `body`, which runs a batch of reads, and returns its result.
  ///
  /// An implementation can change the way in which the batch reads.
  borrowing func whileReading(_ body: () -> Int) -> Int
}

extension PublishedValue where Self: ~Copyable {
  @inline(__always)
  borrowing func whileReading(_ body: () -> Int) -> Int { body() }
}

private struct InSnapshot: PublishedValue {
  private let snapshot = Snapshot(Settings(1))

  @inline(__always)
  func read() -> Int { snapshot.withCurrent { $0.words.0 } }

  func publish(_ settings: Settings) { snapshot.publish(settings) }
}

/// A value in a `Snapshot` whose reads use an atomic exchange.
///
/// Reads need the exchange on systems that lack a system call such as `membarrier`, with which a publication
/// imposes a memory barrier on all threads.
private struct InExchangingSnapshot: PublishedValue {
  private let snapshot = InSnapshot()

  @inline(__always)
  func read() -> Int { snapshot.read() }

  func publish(_ settings: Settings) { snapshot.publish(settings) }

  func whileReading(_ body: () -> Int) -> Int { SnapshotReclamation.withExchangingReads(body) }
}

private struct InProtector: PublishedValue {
  private let protector = Protector(Settings(1))

  @inline(__always)
  func read() -> Int { protector.withReadLock { $0.words.0 } }

  func publish(_ settings: Settings) { protector.withWriteLock { $0 = settings } }
}

/// A value that nothing protects while it is read, to show what the reads themselves cost.
///
/// The reads are safe because a publication only switches between two equal values, which never change. For
/// the same reason, `@unchecked Sendable` is sound.
private struct Unprotected: PublishedValue, ~Copyable, @unchecked Sendable {
  private let places: UnsafeMutablePointer<Settings>
  private let current: Atomic<UInt>

  init() {
    places = .allocate(capacity: 2)
    places.initialize(repeating: Settings(1), count: 2)
    current = Atomic(UInt(bitPattern: places))
  }

  deinit { places.deallocate() }

  @inline(__always)
  borrowing func read() -> Int {
    UnsafePointer<Settings>(bitPattern: current.load(ordering: .acquiring)).unsafelyUnwrapped.pointee.words.0
  }

  borrowing func publish(_ settings: Settings) {
    let isFirst = current.load(ordering: .relaxed) == UInt(bitPattern: places)
    current.store(UInt(bitPattern: isFirst ? places + 1 : places), ordering: .releasing)
  }
}

/// Measures reads of a value that one of the reading threads replaces now and then.
private final class PublishedValueTrial<Published: PublishedValue & ~Copyable>: Sendable {
  private let box: IsolatedBox<Published>
  /// The time between two publications, in nanoseconds; `nil` if there are none.
  private let interval: UInt64?
  private let lastPublication = Atomic<UInt64>(0)

  init(_ published: consuming Published, publicationsPerSecond: Int) {
    box = IsolatedBox(published)
    interval = publicationsPerSecond == 0 ? nil : UInt64(1_000_000_000 / publicationsPerSecond)
  }

  func contestant(_ name: String) -> Contestant {
    Contestant(name: name) { worker, count in
      if worker == 0 { self.publishIfDue() }
      return self.box.pointer.pointee.whileReading { Self.read(self.box.pointer.pointee, count) }
    }
  }

  /// Publishes a value if `interval` has passed since the last publication.
  ///
  /// Worker 0 calls this method once in each batch. A batch takes about 20 µs, and no publication is late by
  /// much more than that.
  private func publishIfDue() {
    guard let interval else { return }
    let now = SystemInstruments.now()
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
private func publications(_ name: String, besideReader: Bool) -> Contestant {
  // The snapshot is made lazily, so that runs of other suites don't start the reader's thread, which lives
  // until the process ends.
  let snapshot = Lazy {
    let snapshot = Snapshot(Settings(1))
    if besideReader {
      JoinedThreads(1) { _ in
        while true { snapshot.withCurrent { _ in _ = sleep(1) } }
      }.detach()
    }
    return snapshot
  }
  return Contestant(name: name) { _, count in
    for number in 0..<count { snapshot.value.publish(Settings(number)) }
    return count
  }
}

extension Suite {
  /// Measures reads of a value that is replaced now and then.
  static var snapshots: Suite {
    Suite(
      name: "snapshots of a value",
      about: "a value of eight words that is replaced now and then, read in between",
      contests: [1, 2, 8].flatMap { threads in [0, 100, 1_000].map { reads(threads: threads, $0) } } + [
        Contest(
          group: "publications", title: "1 thread", metric: .cost, operationUnit: 10,
          reference: "publication, no reader",
          contestants: [
            publications("publication, no reader", besideReader: false),
            publications("publication, a reader stays for a second", besideReader: true),
          ], runsOnOtherThreads: true)
      ])
  }

  fileprivate static func readers(_ threads: Int) -> String {
    threads == 1 ? "1 reader" : "\(threads) readers"
  }

  private static func reads(threads: Int, _ publications: Int) -> Contest {
    func row(_ name: String, _ published: consuming some PublishedValue & ~Copyable) -> Contestant {
      PublishedValueTrial(published, publicationsPerSecond: publications).contestant(name)
    }
    return Contest(
      group: readers(threads), title: "\(publications) publications/s", metric: .throughput, threads: threads,
      operationUnit: 100, reference: "Protector",
      contestants: [
        row("Snapshot", InSnapshot()), row("Snapshot, with an exchange", InExchangingSnapshot()),
        row("Protector", InProtector()), row("unprotected load", Unprotected()),
      ],
      // A thread of the library frees what was replaced.
      runsOnOtherThreads: publications > 0)
  }
}

extension Target {
  static var snapshots: [Target] {
    let suite = "snapshots of a value"
    let reads = [1, 2, 8].flatMap { threads in
      [0, 100, 1_000].flatMap { publications in
        let contest = (suite, Suite.readers(threads), "\(publications) publications/s")
        return [
          ("Snapshot", "Snapshot, with an exchange", 1.5), ("Snapshot", "Protector", 1.2),
          ("Snapshot", "unprotected load", 0.15),
        ].map { name, other, bound in
          ratio(
            "\(contest.1), \(contest.2): \(name) / \(other), reads", in: contest, name, over: [other],
            .atLeast(bound))
        }
      }
    }
    func alone(_ threads: Int) -> Path { Path(suite, Suite.readers(threads), "0 publications/s", "Snapshot") }
    return reads + [
      Target(
        "0 publications/s: Snapshot, 2 readers / 1 reader, reads", .ratio(alone(2), over: [alone(1)]),
        .atLeast(1.5)),
      ratio(
        "publications: beside a reader that stays for a second / without one, time",
        in: (suite, "publications", "1 thread"), "publication, a reader stays for a second",
        over: ["publication, no reader"], .atMost(3)),
    ]
  }
}
