package import InterlockCore

/// A table in which threads publish the locks that they hold for reading, or the lifecycles to which they deliver.
///
/// A writer scans the table for readers of its lock, and an invalidation for deliveries to its lifecycle.
///
/// # Why
/// When readers count themselves in one word, all of them write that word, and its cache line travels between
/// their processors. Here a reader writes a cache line that is nearly always its own. A writer, which is
/// rare, scans all lines. This is the table of visible readers of BRAVO (Dice and Kogan, 2019), except that
/// each slot has its own line. In BRAVO eight slots share one line.
///
/// # Size
/// A slot is in use only during a section. A thread inside one is mostly running, so the number of slots
/// depends on the number of processors, and not on the number of threads. The same holds for the cost of a
/// scan. A thread keeps using one slot. When another thread has taken that slot, the thread moves to the next
/// vacant one. When no slot is vacant, `publish` returns `nil`, and the caller must do without a slot.
/// A delivery may block, and then keeps its slot. So deliveries have a table of their own, and leave readers theirs.
///
/// # Memory ordering
/// A slot is filled and scanned with sequential consistency, and vacated with release. Publishing and
/// scanning follow Dekker's pattern: one side fills its slot, then loads the word of the lock or lifecycle; the other
/// side changes that word, then scans.
package struct SlotTable: Sendable {
  /// The read sections of biased locks.
  package static let readers = SlotTable()
  package static let deliveries = SlotTable()

  private let memory = SlotMemory()

  private init() {}

  /// The distance between two slots, in bytes.
  ///
  /// Some processors have cache lines of 128 bytes, others fetch lines of 64 bytes in pairs. Each slot has such
  /// a line or pair of its own.
  static var stride: Int { 128 }

  /// The number of slots.
  package var count: Int { memory.current.count }
  /// The number of slots for each processor, because preempted and nested sections keep their slots.
  static var slotsPerProcessor: Int { 4 }
  /// The number of slots outside explorations.
  static var usualCount: Int { slotsPerProcessor * Processors.count }
  private var base: UInt { memory.current.base }

  // Sound: each slot is initialized as an `AtomicWord` before its address is returned, and the memory is
  // never freed.
  static func allocate(_ count: Int) -> UInt {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: stride * count, alignment: stride)
    for index in 0..<count {
      unsafe (memory + index * stride).initializeMemory(as: AtomicWord.self, to: AtomicWord(Slot.vacant))
    }
    return UInt(bitPattern: memory)
  }

  /// The longest time that a thread sleeps while a thread that vacates a slot may fail to see that it waits.
  package static var missedWakeUpBound: Duration { .milliseconds(1) }

  /// Publishes `key` in the slot `first` if that slot is vacant, otherwise in the next vacant slot.
  ///
  /// - Parameters:
  ///   - key: The address that identifies a lock or a lifecycle.
  ///   - first: The slot that the calling thread tries first; a placeholder before its first call. Unless
  ///     `isNested`, `first` becomes the last slot that was tried. A placeholder is always replaced.
  ///   - isNested: Whether `first` may hold another key of the calling thread.
  ///   - limit: How many slots to try after `first`, at most.
  /// - Returns: The slot that holds `key` now; `nil` when no slot was vacant.
  package func publish(
    _ key: UInt, in first: inout Slot, isNested: Bool, trying limit: Int = .max
  ) -> Slot? {
    if first.fill(with: key) { return first }
    let (base, count) = (base, count)
    let offset = first.address &- base
    let isInTable = offset < UInt(bitPattern: count &* Self.stride)
    let index = isInTable ? Int(offset) / Self.stride + 1 : nextFirstSlot()
    var slot = first
    var isFilled = false
    var tries = 0
    while !isFilled, tries < min(count, limit) {
      slot = Slot(address: base &+ UInt(bitPattern: (index &+ tries) % count &* Self.stride))
      isFilled = slot.fill(with: key)
      tries += 1
    }
    if !isInTable || !isNested { first = slot }
    return isFilled ? slot : nil
  }

  /// The index of the slot that a thread without one tries first.
  ///
  /// The first slots of as many threads as there are processors have the distance `slotsPerProcessor`. So a nested
  /// section finds a slot beside the thread's first one that is no other thread's first.
  private func nextFirstSlot() -> Int {
    let number = Int(truncatingIfNeeded: memory.current.takeNextSlot() & UInt64(Int32.max))
    return number * Self.slotsPerProcessor + number / max(count / Self.slotsPerProcessor, 1)
  }

  /// The number of slots that hold `key`.
  package func count(of key: UInt) -> Int {
    var found = 0
    var address = base
    let end = address &+ UInt(bitPattern: Self.stride &* count)
    while address != end {
      if Slot(address: address).key == key { found += 1 }
      address &+= UInt(bitPattern: Self.stride)
    }
    return found
  }

  /// The number of slots that hold any key.
  ///
  /// It is 0 while no thread is in a section.
  package var takenCount: Int { count - count(of: UInt(Slot.vacant)) }

  /// Whether a slot holds `key`.
  package func contains(_ key: UInt) -> Bool {
    count(of: key) != 0
  }
}
