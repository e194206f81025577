public import CInterlock

/// A thread's own list of the locks that it holds for reading.
///
/// Only the thread itself uses its record. So an entry costs a plain store, and an ending thread leaves nothing
/// to clean up. Keys that other threads must see are also in the `SlotTable`. A lock that finds no vacant entry
/// is in a list of further locks, which is empty outside read sections.
///
/// While the record lists no lock, its first entry is a countdown instead: the number of reads of biased locks
/// until the thread's next sample (see `readsPerSample`).
@usableFromInline
@safe
@frozen
package struct ThreadRecord {
  // Sound: `base` is the address of thread-local storage. A thread does not keep its record beyond the current
  // scope, and passes it to no other thread.
  @usableFromInline
  let base: UnsafeMutableRawPointer

  @_alwaysEmitIntoClient
  @_transparent
  init(_ base: UnsafeMutablePointer<interlock_thread_record>) {
    unsafe self.base = UnsafeMutableRawPointer(base)
  }

  /// The calling thread's record.
  @_alwaysEmitIntoClient
  @_transparent
  package static var current: ThreadRecord {
    unsafe ThreadRecord(interlock_current_thread_record())
  }

  /// The size of a thread's record, in bytes.
  @_alwaysEmitIntoClient
  package static var size: Int { MemoryLayout<interlock_thread_record>.size }

  // MARK: Entries

  @_alwaysEmitIntoClient
  static var entryCount: Int { 8 }

  @_alwaysEmitIntoClient
  @_transparent
  var entries: UnsafeMutablePointer<UInt> {
    // Sound: the first field of the record is the array of entries, whose elements have the type `UInt`.
    unsafe base.assumingMemoryBound(to: UInt.self)
  }

  /// The value of the entry at `index`: the key of a lock, or the value of a vacant entry.
  ///
  /// A vacant entry is 0, except the first one, which is a countdown to the next sample.
  @_alwaysEmitIntoClient
  package subscript(entry index: Int) -> UInt {
    @_transparent get { unsafe entries[index] }
    @_transparent nonmutating set { unsafe entries[index] = newValue }
  }

  /// Whether the record lists a lock that the thread holds for reading.
  @_alwaysEmitIntoClient
  @_transparent
  package var isReading: Bool { self[entry: 0] > Self.readsPerSample }

  /// Whether `firstEntry`, the value of a record's first entry, is a countdown that has not reached 0.
  ///
  /// If so, the record lists no lock, and the thread's next read is not sampled (see `readsPerSample`).
  @_alwaysEmitIntoClient
  @_transparent
  package static func isVacantWithoutSample(_ firstEntry: UInt) -> Bool { firstEntry &- 1 < readsPerSample }

  /// The index of the entry that holds `key`; `nil` if no entry does.
  @_alwaysEmitIntoClient
  package func index(of key: UInt) -> Int? {
    // This does not iterate over a range: in unoptimized code, each step would ask the runtime for type
    // metadata, which takes a lock.
    var index = 0
    while index < Self.entryCount {
      if self[entry: index] == key { return index }
      index += 1
    }
    return nil
  }

  /// The index of a vacant entry for one more read section; `nil` when all entries are taken.
  @_alwaysEmitIntoClient
  package var firstVacantEntry: Int? { isReading ? index(of: 0) : 0 }

  // MARK: Further locks

  /// The place of the address of the list's first node; 0 if the list is empty.
  @_alwaysEmitIntoClient
  package var furtherLocks: UnsafeMutablePointer<UInt> {
    // Sound: the record stays in place.
    unsafe withUnsafeMutablePointer(
      to: &base.assumingMemoryBound(to: interlock_thread_record.self).pointee.further
    ) { unsafe $0 }
  }

  // MARK: Slots

  /// The slot that the thread tries first.
  @_alwaysEmitIntoClient
  @_transparent
  package var slot: Slot {
    get { unsafe Slot(address: base.assumingMemoryBound(to: interlock_thread_record.self).pointee.slot) }
    nonmutating set {
      unsafe base.assumingMemoryBound(to: interlock_thread_record.self).pointee.slot = newValue.address
    }
  }

  // MARK: Samples

  /// The sampling interval: a thread samples one of this many reads of biased locks.
  ///
  /// A sample updates the statistics by which a lock decides whether it stays biased (see `BiasAccount`).
  @_alwaysEmitIntoClient
  @_transparent
  package static var readsPerSample: UInt { UInt(INTERLOCK_READS_PER_SAMPLE) }

  /// Whether the thread's next read of a biased lock is sampled (see `readsPerSample`).
  @_alwaysEmitIntoClient
  package var isSampleDue: Bool { self[entry: 0] == 0 }

  /// The value from which the countdown to the thread's next sample continues after a read of a biased lock.
  ///
  /// - Parameter firstEntry: The value of the record's first entry before the read. If it is a countdown that
  ///   has not reached 0, it is the result. Otherwise the result is `readsPerSample`.
  @_alwaysEmitIntoClient
  @_transparent
  package static func counter(after firstEntry: UInt) -> UInt {
    isVacantWithoutSample(firstEntry) ? firstEntry : readsPerSample
  }
}

/// A slot of the `SlotTable`.
@usableFromInline
@frozen
package struct Slot {
  @usableFromInline
  package let address: UInt

  @_alwaysEmitIntoClient
  @_transparent
  package init(address: UInt) {
    self.address = address
  }

  @_alwaysEmitIntoClient
  @_transparent
  package static var vacant: UInt64 { 0 }

  @_alwaysEmitIntoClient
  @_transparent
  package func withWord<R>(_ body: (borrowing AtomicWord) -> R) -> R {
    // Sound: the address is that of a slot in the table, or of the placeholder for a thread without a slot.
    // Neither is ever freed.
    unsafe body(UnsafePointer<AtomicWord>(bitPattern: address).unsafelyUnwrapped.pointee)
  }

  /// Puts `key` into the slot if the slot is vacant; returns whether it did so.
  @_alwaysEmitIntoClient
  @_transparent
  package func fill(with key: UInt) -> Bool {
    withWord {
      $0.compareExchange(expected: Self.vacant, desired: UInt64(key), .sequentiallyConsistent).exchanged
    }
  }

  /// Empties the slot.
  ///
  /// Only the thread that filled the slot may call this.
  @_alwaysEmitIntoClient
  @_transparent
  package func vacate() {
    withWord { $0.store(Self.vacant, .releasing) }
  }

  /// The key in the slot; 0 if the slot is vacant.
  ///
  /// The load acquires what the slot's last user released.
  @_alwaysEmitIntoClient
  package var key: UInt { UInt(truncatingIfNeeded: withWord { $0.load(.sequentiallyConsistent) }) }
}

#if Exploration
  extension ThreadRecord {
    /// Resets the calling thread's record, so that all executions of an exploration begin with the same
    /// state.
    package static func resetForExploration() { interlock_reset_thread_record() }
  }
#endif
