package import InterlockCore

/// The table in which threads publish the locks that they hold for reading.
///
/// A writer scans the table for readers of its lock.
///
/// # Why
/// When readers count themselves in one word, all of them write that word, and its cache line travels between
/// their processors. Here a reader writes a cache line that is nearly always its own. A writer, which is
/// rare, scans all lines. This is the table of visible readers of BRAVO (Dice and Kogan, 2019), except that
/// each slot has its own line. In BRAVO eight slots share one line.
///
/// # Size
/// A slot is in use only during a read section. A thread inside one is mostly running, so the number of slots
/// depends on the number of processors, and not on the number of threads. The same holds for the cost of a
/// scan. A thread keeps using one slot. When another thread has taken that slot, the thread moves to the next
/// vacant one. When no slot is vacant, `publish` returns `nil`, and the caller must do without a slot.
///
/// # Memory ordering
/// A slot is filled and scanned with sequential consistency, and vacated with release. Publishing and
/// scanning follow Dekker's pattern: one side fills its slot, then loads the lock's word; the other side
/// changes the lock's word, then scans.
package enum SlotTable {
  /// The distance between two slots, in bytes.
  ///
  /// Some processors have cache lines of 128 bytes, others fetch lines of 64 bytes in pairs. Each slot has such
  /// a line or pair of its own.
  static let stride = 128

  /// The number of slots.
  package static var count: Int { SlotMemory.count }
  /// The number of slots outside explorations: four for each processor, because preempted and nested readers
  /// keep their slots.
  static var usualCount: Int { 4 * Processors.count }
  private static var base: UInt { SlotMemory.base }

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
  ///   - key: The address that identifies a lock.
  ///   - first: The slot that the calling thread tries first; a placeholder before its first call. Unless
  ///     `isNested`, `first` becomes the slot that holds `key`. A placeholder is always replaced.
  ///   - isNested: Whether `first` may hold another key of the calling thread.
  /// - Returns: The slot that holds `key` now; `nil` when no slot was vacant.
  package static func publish(_ key: UInt, in first: inout Slot, isNested: Bool) -> Slot? {
    if first.fill(with: key) { return first }
    let offset = first.address &- base
    let isInTable = offset < UInt(bitPattern: count &* stride)
    let index =
      isInTable ? Int(offset) / stride + 1 : Int(truncatingIfNeeded: SlotMemory.takeNextSlot()) & .max
    var tries = 0
    while tries < count {
      let slot = Slot(address: base &+ UInt(bitPattern: (index &+ tries) % count &* stride))
      if slot.fill(with: key) {
        if !isInTable || !isNested { first = slot }
        return slot
      }
      tries += 1
    }
    return nil
  }

  /// The number of slots that hold `key`.
  package static func count(of key: UInt) -> Int {
    var found = 0
    var address = base
    let end = address &+ UInt(bitPattern: stride &* count)
    while address != end {
      if Slot(address: address).key == key { found += 1 }
      address &+= UInt(bitPattern: stride)
    }
    return found
  }

  /// The number of slots that hold any key.
  ///
  /// It is 0 while no thread is in a read section.
  package static var takenCount: Int { count - count(of: UInt(Slot.vacant)) }

  /// Whether a slot holds `key`.
  package static func contains(_ key: UInt) -> Bool {
    count(of: key) != 0
  }
}
