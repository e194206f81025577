public import CInterlock

/// A thread's own list of the locks that it holds for reading and the lifecycles that it delivers to.
///
/// Only the thread itself changes its record. Another thread reads a record only while the record's owner is
/// known to wait (see `DeliveryWaits`). So an entry costs a plain store, and an ending thread leaves nothing
/// to clean up. Keys that other threads must see at any time are also in the `SlotTable`.
///
/// Read sections and deliveries nest, so the entries form two stacks in one array: locks from the front,
/// deliveries from the back. While the record lists no lock, its first entry is a countdown instead: the
/// number of reads of biased locks until the thread's next sample (see `readsPerSample`).
@usableFromInline
@safe
@frozen
package struct ThreadRecord {
  // Sound: `base` is the address of thread-local storage. A thread does not keep its own record beyond the
  // current scope. It reads another thread's record only while that thread waits.
  @usableFromInline
  let base: UnsafeMutablePointer<interlock_thread_record>

  @_alwaysEmitIntoClient
  @_transparent
  init(_ base: UnsafeMutablePointer<interlock_thread_record>) {
    unsafe self.base = unsafe base
  }

  /// The calling thread's record.
  @_alwaysEmitIntoClient
  @_transparent
  package static var current: ThreadRecord {
    unsafe ThreadRecord(interlock_current_thread_record())
  }

  package func isSame(as other: ThreadRecord) -> Bool { unsafe base == other.base }

  /// The size of a thread's record, in bytes.
  package static var size: Int { MemoryLayout<interlock_thread_record>.size }

  // MARK: Entries

  @_alwaysEmitIntoClient
  package static var entryCount: Int { 8 }

  /// The index of the last entry.
  ///
  /// The outermost delivery of a thread uses this entry.
  @_alwaysEmitIntoClient
  package static var lastEntry: Int { 7 }

  @_alwaysEmitIntoClient
  @_transparent
  var entries: UnsafeMutablePointer<UInt> {
    // Sound: the first field of the record is the array of entries, whose elements have the type `UInt`.
    unsafe UnsafeMutableRawPointer(base).assumingMemoryBound(to: UInt.self)
  }

  /// The value of the entry at `index`: the key of a lock or a lifecycle, or the value of a vacant entry.
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
  package func index(of key: UInt) -> Int? {
    // This does not iterate over a range: in unoptimised code, each step would ask the runtime for type
    // metadata, which takes a lock.
    var index = 0
    while index < Self.entryCount {
      if self[entry: index] == key { return index }
      index += 1
    }
    return nil
  }

  /// The index of a vacant entry for one more read section; `nil` when all entries are taken.
  package var firstVacantEntry: Int? { isReading ? index(of: 0) : 0 }

  /// The index of a vacant entry for one more delivery; `nil` when all entries are taken.
  package var lastVacantEntry: Int? {
    var index = Self.lastEntry
    while index > 0 {
      if self[entry: index] == 0 { return index }
      index -= 1
    }
    return nil
  }

  /// Whether the record lists a lock that the thread holds for reading, or a lifecycle that it delivers to.
  package var isInAnything: Bool {
    isReading || self[entry: Self.lastEntry] != 0
  }

  // MARK: Slots

  /// The slot that the thread tries first when it acquires a biased lock for reading.
  @_alwaysEmitIntoClient
  @_transparent
  package var readSlot: Slot {
    get { unsafe Slot(address: base.pointee.slots.0) }
    nonmutating set { unsafe base.pointee.slots.0 = newValue.address }
  }

  /// The slot that the thread tries first when it begins a delivery.
  ///
  /// It is stored apart from `readSlot`. A thread inside a delivery usually acquires locks for reading, and
  /// these reads need a slot of their own.
  @_alwaysEmitIntoClient
  @_transparent
  package var deliverySlot: Slot {
    get { unsafe Slot(address: base.pointee.slots.1) }
    nonmutating set { unsafe base.pointee.slots.1 = newValue.address }
  }

  // MARK: Samples

  /// The sampling interval: a thread samples one of this many reads of biased locks.
  ///
  /// A sample updates the statistics by which a lock decides whether it stays biased (see `BiasAccount`).
  @_alwaysEmitIntoClient
  @_transparent
  package static var readsPerSample: UInt { UInt(INTERLOCK_READS_PER_SAMPLE) }

  /// Whether the thread's next read of a biased lock is sampled (see `readsPerSample`).
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

#if Exploration
  extension ThreadRecord {
    /// Resets the calling thread's record, so that all executions of an exploration begin with the same
    /// state.
    package static func resetForExploration() { interlock_reset_thread_record() }
  }
#endif
