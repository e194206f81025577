internal import CInterlock
internal import PlatformLocks

/// The records of all threads that have read a biased lock or delivered to a lifecycle, and not ended.
///
/// A record is linked when its thread gets it and freed when the thread ends, so memory follows the number of live
/// threads. Writers, and threads that invalidate, look at the records under the read lock, threads that begin and end
/// change the list under the write lock; who waits for a slot to be emptied does so outside, on its own lock or lifecycle.
package final class ReaderRegistry: Sendable {
  package static let shared = ReaderRegistry()

  private let lock = CompactReadWriteCore()

  // Sound: only touched under `lock`.
  private nonisolated(unsafe) var first: ReaderRecord?

  private init() {
    // C calls this with what `attachToCurrentThread` gave it.
    unsafe interlock_set_thread_record_detach { base in
      guard let base = unsafe base else { return }
      unsafe ReaderRegistry.shared.detach(ReaderRecord(base))
    }
  }

  /// Makes a record for the calling thread, which has none.
  func attachToCurrentThread() -> ReaderRecord {
    let record = ReaderRecord.allocate()
    lock.lockForWriting(for: .biased)
    if let next = unsafe first {
      record.links.next = next
      next.links.previous = record
    }
    unsafe first = record
    lock.unlockAfterWriting()
    unsafe interlock_set_thread_record(record.base)
    return record
  }

  /// Takes out and frees the record of a thread that ends, and is in no section.
  private func detach(_ record: ReaderRecord) {
    lock.lockForWriting(for: .biased)
    let links = record.links
    links.next?.links.previous = links.previous
    if let previous = links.previous {
      previous.links.next = links.next
    } else {
      unsafe first = links.next
    }
    lock.unlockAfterWriting()
    record.deallocate()
  }

  /// All records; under `lock`.
  private var records: some Sequence<ReaderRecord> {
    sequence(state: unsafe first) { next in
      defer { next = next?.links.next }
      return next
    }
  }

  /// Whether a thread is in a read section of the lock at `anchor` that the lock itself does not know of.
  func hasReader(of anchor: UInt) -> Bool {
    lock.lockForReading(for: .biased)
    defer { lock.unlockAfterReading() }
    return records.contains { $0.holds(anchor) }
  }

  /// Whether a thread other than the calling one has `anchor` in a slot.
  package func hasOtherReader(of anchor: UInt) -> Bool {
    lock.lockForReading(for: .biased)
    defer { lock.unlockAfterReading() }
    return records.contains { !$0.isCurrent && $0.holds(anchor) }
  }

  // MARK: Threads that wait for one another

  /// Notes that the calling thread, which has a record, waits until no other thread has `anchor` in a slot.
  ///
  /// A thread that has noted this stays in what its slots say until its wait has ended. So where each thread of a circle has
  /// noted that it waits for what the next one has in a slot, none of them ever goes on; and the last one to come sees the
  /// notes of all others. Only anchors of what nobody enters any more are waited for, so that a thread which has one in a slot
  /// and waits can't have it there by mistake.
  ///
  /// - Returns: Whether the wait would close such a circle.
  package func beginWait(for anchor: UInt) -> Bool {
    lock.lockForWriting(for: .biased)
    defer { lock.unlockAfterWriting() }
    let record = ReaderRecord.current
    record.awaitedAnchor = anchor
    var waiting = [record]
    // Those that the calling thread waits for, directly or not, and that wait themselves.
    var index = 0
    while index < waiting.count {
      let waiter = waiting[index]
      index += 1
      for holder in records {
        guard !holder.isSame(as: waiter), holder.awaitedAnchor != 0,
          holder.index(of: waiter.awaitedAnchor) != nil
        else { continue }
        if holder.isSame(as: record) { return true }
        if !waiting.contains(where: { $0.isSame(as: holder) }) { waiting.append(holder) }
      }
    }
    return false
  }

  /// The wait that `beginWait(for:)` noted has ended.
  package func endWait() {
    lock.lockForWriting(for: .biased)
    ReaderRecord.current.awaitedAnchor = 0
    lock.unlockAfterWriting()
  }

  /// Whether no thread but the calling one has a record.
  ///
  /// A thread that attaches its record later does so after this section of the registry's lock, and sees what the caller
  /// stored before it.
  var isCallingThreadAlone: Bool {
    lock.lockForReading(for: .biased)
    defer { lock.unlockAfterReading() }
    guard let first = unsafe first else { return true }
    return first.isCurrent && first.links.next == nil
  }

  /// How many records there are.
  var count: Int {
    lock.lockForReading(for: .biased)
    defer { lock.unlockAfterReading() }
    return records.reduce(0) { count, _ in count + 1 }
  }
}
