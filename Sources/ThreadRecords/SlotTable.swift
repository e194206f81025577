public import PlatformLocks

/// The table in which threads publish what they are in, for writers and for threads that invalidate.
///
/// # Why
/// Readers that count themselves in one word all write it, and the cache line travels between their processors. Here a
/// reader writes a line that is nearly always its own, and a writer, which is rare, scans all of them. This is the table of
/// visible readers of BRAVO (Dice and Kogan, 2019), with a line for each slot instead of one for eight.
///
/// # Size
/// A slot is in use while a thread is in a section, which only running threads are for long. So the number of slots
/// follows the processors, not the threads, and so does the cost of a scan. A thread keeps one slot and moves
/// to the next vacant one when another thread has taken it. When none is vacant, it does without.
///
/// # Memory ordering
/// A slot is filled and scanned with sequential consistency, and vacated with release. Those who publish and those who scan
/// rely on Dekker's pattern: one side fills its slot and loads the lock's word, the other changes the word and scans.
package enum SlotTable {
  /// Processors fetch lines in pairs: no two slots share a pair.
  private static let stride = 128

  /// How many slots there are: four for each processor, as preempted and nested readers keep theirs.
  #if Exploration
    // Few, because each look at a slot is a step of its own.
    package static let count = 2
  #else
    package static let count = 4 * Processors.count
  #endif

  // Sound: allocated once and never freed; all slots are atomics.
  private static let base: UInt = {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: stride * count, alignment: stride)
    for index in 0..<count {
      unsafe (memory + index * stride).initializeMemory(as: AtomicWord.self, to: AtomicWord(Slot.vacant))
    }
    return UInt(bitPattern: memory)
  }()

  private static let nextSlot = AtomicWord()

  #if Exploration
    /// Makes the table that of a new process, so that executions which begin alike go on alike.
    package static func resetForExploration() {
      nextSlot.store(0, .relaxed)
      for index in 0..<count { Slot(address: base &+ UInt(stride * index)).vacate() }
    }
  #endif

  /// A thread that waits for a slot without a barrier on the other side looks again after this time.
  package static var longestSleep: Duration { .milliseconds(1) }

  /// Publishes `key` in `first`, or in the next slot that is vacant.
  ///
  /// - Parameters:
  ///   - first: Where the calling thread publishes. The slot that it gets instead takes its place.
  ///   - isNested: Whether the thread may have taken `first` itself. Then `first` stays as it is.
  /// - Returns: The slot that holds `key` now; `nil` when no slot was vacant.
  package static func publish(_ key: UInt, in first: inout Slot, isNested: Bool) -> Slot? {
    if first.fill(with: key) { return first }
    let offset = first.address &- base
    let isInTable = offset < UInt(bitPattern: count &* stride)
    let index =
      isInTable ? Int(offset) / stride + 1 : Int(truncatingIfNeeded: nextSlot.add(1, .relaxed)) & .max
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

  /// How many slots hold `key`.
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

  /// Whether a slot holds `key`.
  package static func contains(_ key: UInt) -> Bool {
    count(of: key) != 0
  }
}

/// A slot of the table.
@usableFromInline
package struct Slot {
  @usableFromInline
  package let address: UInt

  @inlinable
  @inline(__always)
  package init(address: UInt) {
    self.address = address
  }

  @inlinable
  static var vacant: UInt64 { 0 }

  @inlinable
  @inline(__always)
  func withWord<R>(_ body: (borrowing AtomicWord) -> R) -> R {
    // Sound: the address is that of a slot in the table, or of the one that is never vacant; neither is ever freed.
    unsafe body(UnsafePointer<AtomicWord>(bitPattern: address).unsafelyUnwrapped.pointee)
  }

  /// Puts `key` into the slot; false when it is taken.
  @inlinable
  @inline(__always)
  package func fill(with key: UInt) -> Bool {
    withWord {
      $0.compareExchange(expected: Self.vacant, desired: UInt64(key), .sequentiallyConsistent).exchanged
    }
  }

  /// Takes the key out of the slot, which the calling thread has filled.
  @inlinable
  @inline(__always)
  package func vacate() {
    withWord { $0.store(Self.vacant, .releasing) }
  }

  /// The key in the slot, with what its last owner has released.
  var key: UInt { UInt(truncatingIfNeeded: withWord { $0.load(.sequentiallyConsistent) }) }
}
