internal import Protectors
internal import Snapshots
internal import Synchronization

/// The value that threads read while it is replaced now and then.
struct Settings: Sendable {
  var words: (Int, Int, Int, Int, Int, Int, Int, Int)

  init(_ number: Int) { words = (number, 0, 0, 0, 0, 0, 0, 0) }
}

/// A way to publish a value.
protocol PublishedValue: Sendable, ~Copyable {
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

/// A value in a `Snapshot`.
struct InSnapshot: PublishedValue {
  private let snapshot = Snapshot(Settings(1))

  @inline(__always)
  func read() -> Int { snapshot.withCurrent { $0.words.0 } }

  func publish(_ settings: Settings) { snapshot.publish(settings) }
}

/// A value in a `Snapshot` whose reads use an atomic exchange.
///
/// Reads need the exchange on systems that lack a system call such as `membarrier`, with which a publication
/// imposes a memory barrier on all threads.
struct InExchangingSnapshot: PublishedValue {
  private let snapshot = InSnapshot()

  @inline(__always)
  func read() -> Int { snapshot.read() }

  func publish(_ settings: Settings) { snapshot.publish(settings) }

  func whileReading(_ body: () -> Int) -> Int { SnapshotReclamation.withExchangingReads(body) }
}

/// A value in a `Protector`.
struct InProtector: PublishedValue {
  private let protector = Protector(Settings(1))

  @inline(__always)
  func read() -> Int { protector.withReadLock { $0.words.0 } }

  func publish(_ settings: Settings) { protector.withWriteLock { $0 = settings } }
}

/// A value that nothing protects while it is read, to show what the reads themselves cost.
///
/// The reads are safe because a publication only switches between two equal values, which never change.
struct Unprotected: PublishedValue, ~Copyable {
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
    let first = UInt(bitPattern: places)
    let isFirst = current.load(ordering: .relaxed) == first
    current.store(UInt(bitPattern: isFirst ? places + 1 : places), ordering: .releasing)
  }
}

extension Unprotected: @unchecked Sendable {}  // The places are not changed after the initializer.
