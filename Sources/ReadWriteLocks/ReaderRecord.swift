public import CInterlock
public import PlatformLocks
public import Synchronization

/// A thread's record of what it is in without having told anybody: eight slots on a cache line that only this thread writes.
///
/// A slot holds the anchor (see `anchor(of:)`) of a biased lock in whose read section the thread is, or that anchor plus one where
/// the thread has also entered the lock's central part, or the anchor of a `Lifecycle` to which the thread delivers; or it is
/// vacant (see `isVacant`). All of these nest. Biased locks take the first vacant slot and deliveries the last one, so that a
/// lock that is read in a delivery, or a delivery in a read section, finds its favourite slot vacant. A thread gets its record
/// when it first needs one; the record is in the `ReaderRegistry` until the thread ends.
@usableFromInline
@safe
package struct ReaderRecord {
  // Sound: it points to a block that stays until the thread ends. The slots in it are atomic; the links are only
  // touched under the registry's lock.
  @usableFromInline
  package let base: UnsafeMutableRawPointer

  @inlinable
  package init(_ base: UnsafeMutableRawPointer) {
    unsafe self.base = unsafe base
  }

  /// The calling thread's record; where it has none, one that is nobody's: with no lock or lifecycle in it, and yet neither
  /// its first nor its last slot vacant.
  @inlinable
  @inline(__always)
  package static var current: ReaderRecord {
    // It is never NULL, which C can't tell Swift.
    unsafe ReaderRecord(interlock_thread_record().unsafelyUnwrapped)
  }

  /// It is the calling thread's.
  var isCurrent: Bool { isSame(as: .current) }

  func isSame(as other: ReaderRecord) -> Bool { unsafe base == other.base }

  /// What `current` is in a thread without a record: its first slot holds 3, as a real one's never does.
  private var isNobodys: Bool { firstSlot == 3 }

  /// The calling thread's record, which it gets if it has none.
  package static var attached: ReaderRecord {
    let record = current
    return record.isNobodys ? ReaderRegistry.shared.attachToCurrentThread() : record
  }

  // MARK: Layout

  @inlinable
  static var slotCount: Int { 8 }

  /// The index of the slot that an outermost delivery uses.
  @inlinable
  package static var lastSlot: Int { 7 }

  /// The slots' line of 64 bytes, and room for the links, a counter and what the thread waits for.
  ///
  /// Processors fetch lines in pairs: no two threads share a pair.
  static let size = 128

  /// How much of that is in use.
  var usedSize: Int { unsafe UnsafeRawPointer(waitPointer + 1) - UnsafeRawPointer(base) }

  @usableFromInline
  struct Links {
    @usableFromInline
    var next: ReaderRecord?
    @usableFromInline
    var previous: ReaderRecord?
  }

  @inlinable
  var linksPointer: UnsafeMutablePointer<Links> {
    unsafe (base + Self.slotCount * MemoryLayout<Atomic<UInt>>.stride).assumingMemoryBound(to: Links.self)
  }

  /// How many reads through central locks, or slots with a barrier, are left until a report is due.
  @usableFromInline
  struct CountedReads {
    @usableFromInline
    var left = BiasPolicy.Reports.readsInLook

    fileprivate var reports = BiasPolicy.Reports()
  }

  /// Only the thread itself looks at them.
  @inlinable
  var countedReads: UnsafeMutablePointer<CountedReads> {
    unsafe UnsafeMutableRawPointer(linksPointer + 1).assumingMemoryBound(to: CountedReads.self)
  }

  private var waitPointer: UnsafeMutablePointer<UInt> {
    unsafe UnsafeMutableRawPointer(countedReads + 1).alignedUp(for: UInt.self)
      .assumingMemoryBound(to: UInt.self)
  }

  /// The anchor that the thread waits for other threads to take out of their slots, or 0; the registry guards it.
  var awaitedAnchor: UInt {
    get { unsafe waitPointer.pointee }
    nonmutating set { unsafe waitPointer.pointee = newValue }
  }

  /// The neighbours in the registry, which guards them.
  var links: Links {
    get { unsafe linksPointer.pointee }
    nonmutating set { unsafe linksPointer.pointee = newValue }
  }

  /// Counts a read through a central lock, or a slot with a barrier, for the record's thread; tells whether its next has to
  /// report.
  @inlinable
  @inline(__always)
  @discardableResult
  func countRead() -> Bool {
    let left = unsafe countedReads.pointee.left &- 1
    unsafe countedReads.pointee.left = left
    return left <= 0
  }

  /// The thread's next read of that kind has to report.
  @inlinable
  @inline(__always)
  var isReportDue: Bool { unsafe countedReads.pointee.left <= 0 }

  /// Begins to count for the next report.
  ///
  /// - Parameter step: The present report.
  /// - Returns: What `step` returns.
  func report(_ step: (inout BiasPolicy.Reports) -> UInt32) -> UInt32 {
    let reads = unsafe step(&countedReads.pointee.reports)
    unsafe countedReads.pointee.left = unsafe countedReads.pointee.reports.reads
    return reads
  }

  static func allocate() -> ReaderRecord {
    let record = unsafe ReaderRecord(.allocate(byteCount: size, alignment: size))
    let slots = unsafe record.base.assumingMemoryBound(to: Atomic<UInt>.self)
    for index in 0..<slotCount {
      unsafe (slots + index).initialize(to: Atomic(vacant))
    }
    unsafe record.linksPointer.initialize(to: Links())
    unsafe record.countedReads.initialize(to: CountedReads())
    unsafe record.waitPointer.initialize(to: 0)
    return record
  }

  /// Frees the block.
  ///
  /// Its slots and links are trivial: there is nothing to destroy in it.
  func deallocate() {
    unsafe base.deallocate()
  }

  // MARK: Slots

  /// What a slot holds that tells of nothing.
  ///
  /// Not 0: one bit says of all values whether they tell of something. Locks and lifecycles begin with a word of four bytes, so
  /// their anchors don't have it.
  @inlinable
  @inline(__always)
  package static var vacant: UInt { 2 }

  /// What slot 0 may hold after a section of the lock at `anchor`, where the thread was in the lock's central part, left it free,
  /// and has no report due.
  ///
  /// Nobody searches for that, so it does not matter what is there by now.
  @inlinable
  @inline(__always)
  static func hint(at anchor: UInt) -> UInt { anchor &+ 2 }

  /// Whether a slot with `value` tells of nothing that the thread is in, and is a real record's: it is `vacant` or a hint.
  @inlinable
  @inline(__always)
  static func isVacant(_ value: UInt) -> Bool { value & 3 == 2 }

  @inlinable
  @inline(__always)
  package func withSlot<R>(_ index: Int, _ body: (borrowing Atomic<UInt>) -> R) -> R {
    let slots = unsafe base.assumingMemoryBound(to: Atomic<UInt>.self)
    return unsafe body(slots[index])
  }

  @inlinable
  @inline(__always)
  var firstSlot: UInt { withSlot(0) { $0.load(ordering: .relaxed) } }

  /// The thread may be in a read section of a biased lock; if not, it is in none.
  @inlinable
  @inline(__always)
  var isReading: Bool { firstSlot & 2 == 0 }

  /// The thread is in no delivery, unless in one that is in no slot.
  @inlinable
  @inline(__always)
  package var isLastSlotVacant: Bool {
    withSlot(Self.lastSlot) { $0.load(ordering: .relaxed) } == Self.vacant
  }

  /// Stores to a slot, for a loader on another thread that has used `AsymmetricFence.heavy()`.
  @inlinable
  @inline(__always)
  package func store(_ value: UInt, in index: Int) {
    withSlot(index) { $0.store(value, ordering: .releasing) }
    AsymmetricFence.light()
  }

  /// Stores to a slot, with a full barrier.
  @inlinable
  @inline(__always)
  package func exchange(_ value: UInt, in index: Int) {
    _ = withSlot(index) { $0.exchange(value, ordering: .sequentiallyConsistent) }
  }

  /// Whether another thread sees `anchor` in a slot.
  func holds(_ anchor: UInt) -> Bool {
    firstIndex { withSlot($0) { $0.load(ordering: .sequentiallyConsistent) } == anchor } != nil
  }

  /// The slot in which the thread has `anchor`, or `anchor` plus one, if there is one.
  package func index(of anchor: UInt) -> Int? {
    firstIndex { withSlot($0) { $0.load(ordering: .relaxed) } & ~1 == anchor }
  }

  /// Where to note another read section.
  var firstVacantIndex: Int? { firstIndex(where: isVacant) }

  /// Where to note another delivery.
  package var lastVacantIndex: Int? {
    firstIndex { isVacant(Self.lastSlot - $0) }.map { Self.lastSlot - $0 }
  }

  /// The thread is in something that a slot tells of.
  package var isInAnything: Bool {
    !isNobodys && firstIndex { !isVacant($0) } != nil
  }

  private func isVacant(_ index: Int) -> Bool {
    Self.isVacant(withSlot(index) { $0.load(ordering: .relaxed) })
  }

  private func firstIndex(where predicate: (Int) -> Bool) -> Int? {
    // Not a range's method: unoptimised, each step of those asks the runtime for types, under one lock.
    var index = 0
    while index < Self.slotCount {
      if predicate(index) { return index }
      index += 1
    }
    return nil
  }
}
