public import CInterlock
public import PlatformLocks
public import Synchronization

/// A thread's record of what it is in without having told anybody: eight slots on a cache line that only this thread writes.
///
/// A slot is empty (0), or holds the address of a biased lock in whose read section the thread is, or that address plus
/// one where the thread has also entered the lock's central part, or the address of a `Lifecycle` to which the thread
/// delivers. All of these nest. Biased locks take the first empty slot and deliveries the last one, so that a lock that is
/// read in a delivery, or a delivery in a read section, finds its favourite slot empty. A thread gets its record when it
/// first needs one; the record is in the `ReaderRegistry` until the thread ends.
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
  /// its first nor its last slot empty.
  @inlinable
  @inline(__always)
  package static var current: ReaderRecord {
    // It is never NULL, which C can't tell Swift.
    unsafe ReaderRecord(interlock_thread_record().unsafelyUnwrapped)
  }

  /// It is the calling thread's.
  var isCurrent: Bool { isSame(as: .current) }

  func isSame(as other: ReaderRecord) -> Bool { unsafe base == other.base }

  /// What `current` is in a thread without a record: its first slot holds 1, as a real one's never does.
  private var isNobodys: Bool { withSlot(0) { $0.load(ordering: .relaxed) } == 1 }

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

  /// How many reads through central locks the thread has counted; only the thread itself looks at it.
  @inlinable
  var centralReads: UnsafeMutablePointer<UInt32> {
    unsafe UnsafeMutableRawPointer(linksPointer + 1).assumingMemoryBound(to: UInt32.self)
  }

  private var waitPointer: UnsafeMutablePointer<UInt> {
    // Behind the counter, where the next word begins.
    unsafe UnsafeMutableRawPointer(linksPointer + 1).assumingMemoryBound(to: UInt.self) + 1
  }

  /// The address that the thread waits for other threads to take out of their slots, or 0; the registry guards it.
  var awaitedAddress: UInt {
    get { unsafe waitPointer.pointee }
    nonmutating set { unsafe waitPointer.pointee = newValue }
  }

  /// The neighbours in the registry, which guards them.
  var links: Links {
    get { unsafe linksPointer.pointee }
    nonmutating set { unsafe linksPointer.pointee = newValue }
  }

  /// Counts a read through a central lock, for the record's thread; true for one in `period`, a power of two.
  @inlinable
  @inline(__always)
  func countsCentralRead(period: UInt32) -> Bool {
    unsafe centralReads.pointee &+= 1
    return unsafe centralReads.pointee & (period - 1) == 0
  }

  static func allocate() -> ReaderRecord {
    let record = unsafe ReaderRecord(.allocate(byteCount: size, alignment: size))
    let slots = unsafe record.base.assumingMemoryBound(to: Atomic<UInt>.self)
    for index in 0..<slotCount {
      unsafe (slots + index).initialize(to: Atomic(0))
    }
    unsafe record.linksPointer.initialize(to: Links())
    unsafe record.centralReads.initialize(to: 0)
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

  @inlinable
  @inline(__always)
  package func withSlot<R>(_ index: Int, _ body: (borrowing Atomic<UInt>) -> R) -> R {
    let slots = unsafe base.assumingMemoryBound(to: Atomic<UInt>.self)
    return unsafe body(slots[index])
  }

  /// The thread is in no read section of a biased lock.
  @inlinable
  @inline(__always)
  var isEmpty: Bool { withSlot(0) { $0.load(ordering: .relaxed) } == 0 }

  /// The thread may be in a read section of a biased lock; if not, it is in none.
  @inlinable
  @inline(__always)
  var isReading: Bool { withSlot(0) { $0.load(ordering: .relaxed) } > 1 }

  /// The thread is in no delivery, unless in one that is in no slot.
  @inlinable
  @inline(__always)
  package var isLastSlotEmpty: Bool { withSlot(Self.lastSlot) { $0.load(ordering: .relaxed) } == 0 }

  /// Stores to a slot, for a loader on another thread that has used `AsymmetricFence.heavy()`.
  @inlinable
  @inline(__always)
  package func store(_ value: UInt, in index: Int) {
    withSlot(index) { $0.store(value, ordering: .releasing) }
    AsymmetricFence.light()
  }

  /// Stores to a slot, with a full barrier.
  package func exchange(_ value: UInt, in index: Int) {
    _ = withSlot(index) { $0.exchange(value, ordering: .sequentiallyConsistent) }
  }

  /// Whether another thread sees `address` in a slot.
  func holds(_ address: UInt) -> Bool {
    // Not a range's methods, here and below: unoptimised, each step of those asks the runtime for types, under one lock.
    var index = 0
    while index < Self.slotCount {
      if withSlot(index, { $0.load(ordering: .sequentiallyConsistent) }) == address { return true }
      index += 1
    }
    return false
  }

  /// The slot in which the thread notes that it reads the lock, or delivers to the lifecycle, at `address`, if it does.
  package func index(of address: UInt) -> Int? {
    var index = 0
    while index < Self.slotCount {
      if withSlot(index, { $0.load(ordering: .relaxed) }) & ~1 == address { return index }
      index += 1
    }
    return nil
  }

  var firstEmptyIndex: Int? { index(of: 0) }

  /// The thread is in something that a slot tells of.
  package var isInAnything: Bool {
    !isNobodys
      && (0..<Self.slotCount).contains { index in withSlot(index) { $0.load(ordering: .relaxed) } != 0 }
  }

  package var lastEmptyIndex: Int? {
    (0..<Self.slotCount).last { index in withSlot(index) { $0.load(ordering: .relaxed) } == 0 }
  }
}
