public import CInterlock

/// What the calling thread notes about itself: which locks it reads, and which lifecycles it delivers to.
///
/// Only the thread itself changes its record, and others read it only while they know that the thread waits (`DeliveryWaits`). So
/// a note costs a plain store, and a thread that ends leaves nothing behind. What other threads have to see stands in the
/// `SlotTable`.
///
/// Sections nest, so the notes are a stack of locks from the front, and one of deliveries from the back: when the first
/// note is vacant, the thread reads nothing that it has noted. While it is vacant it is a counter: every `readsPerSample`th
/// read of a biased lock is sampled.
@usableFromInline
@safe
package struct ThreadRecord {
  // Sound: thread-local storage of a thread that uses the record only before it returns from the scope that asked for it, or
  // that waits while another thread reads it.
  @usableFromInline
  let base: UnsafeMutablePointer<interlock_thread_record>

  @inlinable
  @inline(__always)
  init(_ base: UnsafeMutablePointer<interlock_thread_record>) {
    unsafe self.base = unsafe base
  }

  /// The calling thread's record.
  @inlinable
  @inline(__always)
  package static var current: ThreadRecord {
    // It is never NULL, which C can't tell Swift.
    unsafe ThreadRecord(interlock_current_thread_record().unsafelyUnwrapped)
  }

  package func isSame(as other: ThreadRecord) -> Bool { unsafe base == other.base }

  /// The memory of a thread's record, in bytes.
  package static var size: Int { MemoryLayout<interlock_thread_record>.size }

  // MARK: Notes

  @inlinable
  package static var noteCount: Int { 8 }

  /// The index of the note of an outermost delivery.
  @inlinable
  package static var lastNote: Int { 7 }

  @inlinable
  @inline(__always)
  var notes: UnsafeMutablePointer<UInt> {
    // The notes stand at the beginning of the record.
    unsafe UnsafeMutableRawPointer(base).assumingMemoryBound(to: UInt.self)
  }

  /// The key in the note at `index`, or what a vacant note has.
  @inlinable
  @inline(__always)
  package subscript(note index: Int) -> UInt {
    get { unsafe notes[index] }
    nonmutating set { unsafe notes[index] = newValue }
  }

  /// Whether the thread has noted that it reads anything.
  @inlinable
  @inline(__always)
  package var isReading: Bool { self[note: 0] > Self.readsPerSample }

  /// Whether the thread reads nothing that it has noted, and its next read is not to be sampled, if `firstNote` is its first
  /// note.
  @inlinable
  @inline(__always)
  package static func isVacantWithoutSample(_ firstNote: UInt) -> Bool { firstNote &- 1 < readsPerSample }

  /// The index of the note with `key`.
  package func index(of key: UInt) -> Int? {
    // Not a range's method: without optimisation, each step of those asks the runtime for types, under one lock.
    var index = 0
    while index < Self.noteCount {
      if self[note: index] == key { return index }
      index += 1
    }
    return nil
  }

  /// Where to note another read section.
  package var firstVacantNote: Int? { isReading ? index(of: 0) : 0 }

  /// Where to note another delivery.
  package var lastVacantNote: Int? {
    var index = Self.lastNote
    while index > 0 {
      if self[note: index] == 0 { return index }
      index -= 1
    }
    return nil
  }

  /// Whether the thread has noted anything.
  package var isInAnything: Bool {
    isReading || self[note: Self.lastNote] != 0
  }

  // MARK: Slots

  /// The slot that the thread tries first to publish a lock that it reads.
  @inlinable
  @inline(__always)
  package var readSlot: Slot {
    get { unsafe Slot(address: base.pointee.slots.0) }
    nonmutating set { unsafe base.pointee.slots.0 = newValue.address }
  }

  /// The slot that the thread tries first to publish a lifecycle that it delivers to: another one, because deliveries read
  /// locks.
  @inlinable
  @inline(__always)
  package var deliverySlot: Slot {
    get { unsafe Slot(address: base.pointee.slots.1) }
    nonmutating set { unsafe base.pointee.slots.1 = newValue.address }
  }

  // MARK: Samples

  /// How many reads of biased locks there are from one sample of a thread to the next.
  @inlinable
  package static var readsPerSample: UInt { UInt(INTERLOCK_READS_PER_SAMPLE) }

  /// Whether the thread's next read is to be sampled.
  package var isSampleDue: Bool { self[note: 0] == 0 }

  /// `firstNote`, or where the counter begins anew, after a read that has begun with `firstNote`.
  @inlinable
  package static func counter(after firstNote: UInt) -> UInt {
    isVacantWithoutSample(firstNote) ? firstNote : readsPerSample
  }
}

#if Exploration
  extension ThreadRecord {
    /// Makes the calling thread's record that of a new thread, so that executions which begin alike go on alike.
    package static func resetForExploration() { interlock_reset_thread_record() }
  }
#endif
