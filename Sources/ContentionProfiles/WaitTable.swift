internal import LockSupport

/// A lock, the code that waited for it, and the code that released it.
struct WaitSite: Hashable, Sendable {
  /// The key of the lock, a number derived from its address; 0 if the site merges waits for several locks.
  var lock: UInt
  var primitive: Primitive
  var mode: LockMode
  /// The number, in the `StackTable`, of the stack that waited.
  var waiter: UInt32
  /// The number, in the `StackTable`, of the stack that released the lock; `StackTable.none` if it is not
  /// known.
  var releaser: UInt32

  var hash: UInt64 {
    let stacks = UInt64(waiter) << 32 | UInt64(releaser)
    let type = UInt64(primitive.word) << 2 | mode.rawValue + 1
    return HashSlots.combine(HashSlots.combine(type, UInt64(lock)), stacks)
  }
}

/// The number of waits at one site, with their times in nanoseconds.
struct WaitFigures: Sendable {
  var waits: UInt64 = 0
  var total: UInt64 = 0
  var longest: UInt64 = 0
  /// The time that the lock was held while threads waited; see `ContendedLocks`.
  var blocked: UInt64 = 0
  var longestBlocked: UInt64 = 0
  /// The total duration of the holds for which `ran` is known (see `ContendedLocks.Release.measured`).
  var measured: UInt64 = 0
  var ran: UInt64 = 0
  /// The number of waits in each bucket of a `Histogram`, by bucket index.
  var histogram = [UInt64](repeating: 0, count: Histogram.bucketCount)

  mutating func add(_ other: WaitFigures) {
    waits += other.waits
    total += other.total
    longest = max(longest, other.longest)
    blocked += other.blocked
    longestBlocked = max(longestBlocked, other.longestBlocked)
    measured += other.measured
    ran += other.ran
    for index in histogram.indices { histogram[index] += other.histogram[index] }
  }
}

/// The sites where threads waited, each with the number and the times of its waits.
///
/// The table has room for a fixed number of sites. Several threads may add waits at the same time.
///
/// `@safe`: every index comes from `slots`, and is less than the capacity of the memory.
@safe
struct WaitTable: ~Copyable, @unchecked Sendable {
  // `WaitTable` is `@unchecked Sendable`, which is sound: the thread that inserts a site writes it once, and
  // then stores `isReady` with release. Readers load `isReady` with acquire first.

  // Not private: version 6.3 of the compiler crashes on a private type in `ReservedMemory`.
  struct Entry: ~Copyable {
    /// Written once, before `isReady` is set, and read only after that.
    var site: WaitSite
    let isReady = AtomicWord()
    let waits = AtomicWord()
    let total = AtomicWord()
    let longest = AtomicWord()
    let blocked = AtomicWord()
    let longestBlocked = AtomicWord()
    let measured = AtomicWord()
    let ran = AtomicWord()
  }

  private let slots: HashSlots
  private let entryMemory: ReservedMemory<Entry>
  private var entries: UnsafeMutablePointer<Entry> { unsafe entryMemory.first }
  private let bucketMemory: ReservedMemory<AtomicWord>
  private var buckets: UnsafeMutablePointer<AtomicWord> { unsafe bucketMemory.first }

  init(capacity: Int) {
    slots = HashSlots(capacity: capacity)
    entryMemory = ReservedMemory(capacity: capacity)
    bucketMemory = ReservedMemory(capacity: capacity * Histogram.bucketCount)
  }

  /// Adds a wait to the figures of `site`; returns `false` if the table has no room for the site.
  ///
  /// `waited` is the duration of the wait in nanoseconds, and `release` the result of `ContendedLocks.leave`.
  func add(_ site: WaitSite, waited: UInt64, _ release: ContendedLocks.Release) -> Bool {
    guard let (index, isNew) = slots.index(of: site.hash) else { return false }
    let entry = unsafe entries + index
    if isNew {
      unsafe entry.pointee.site = site
      unsafe entry.pointee.isReady.store(1, .releasing)
    }
    unsafe entry.pointee.waits.add(1, .relaxed)
    unsafe entry.pointee.total.add(waited, .relaxed)
    unsafe Self.raise(entry.pointee.longest, to: waited)
    unsafe entry.pointee.blocked.add(release.blocked, .relaxed)
    unsafe Self.raise(entry.pointee.longestBlocked, to: release.blocked)
    unsafe entry.pointee.measured.add(release.measured, .relaxed)
    unsafe entry.pointee.ran.add(release.ran, .relaxed)
    unsafe buckets[index * Histogram.bucketCount + Histogram.bucket(of: waited)].add(1, .relaxed)
    return true
  }

  private static func raise(_ word: borrowing AtomicWord, to value: UInt64) {
    var old = word.load(.relaxed)
    while old < value {
      let (exchanged, original) = word.compareExchange(expected: old, desired: value, .relaxed)
      if exchanged { return }
      old = original
    }
  }

  /// Returns all sites with their figures.
  ///
  /// Other threads may add waits meanwhile, so the figures of a site may disagree with one another.
  func contents() -> [(site: WaitSite, figures: WaitFigures)] {
    var contents: [(site: WaitSite, figures: WaitFigures)] = []
    for index in 0..<slots.capacity where unsafe entries[index].isReady.load(.acquiring) == 1 {
      var figures = WaitFigures()
      figures.waits = unsafe entries[index].waits.load(.relaxed)
      figures.total = unsafe entries[index].total.load(.relaxed)
      figures.longest = unsafe entries[index].longest.load(.relaxed)
      figures.blocked = unsafe entries[index].blocked.load(.relaxed)
      figures.longestBlocked = unsafe entries[index].longestBlocked.load(.relaxed)
      figures.measured = unsafe entries[index].measured.load(.relaxed)
      figures.ran = unsafe entries[index].ran.load(.relaxed)
      for bucket in 0..<Histogram.bucketCount {
        figures.histogram[bucket] = unsafe buckets[index * Histogram.bucketCount + bucket].load(.relaxed)
      }
      contents.append((unsafe entries[index].site, figures))
    }
    return contents
  }

  /// Removes all sites; no other thread may use the table meanwhile.
  func removeAll() {
    slots.removeAll()
    entryMemory.clear()
    bucketMemory.clear()
  }
}
