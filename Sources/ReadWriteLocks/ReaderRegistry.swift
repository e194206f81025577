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
  package func attachToCurrentThread() -> ReaderRecord {
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

  /// Whether a thread is in a read section of the lock at `address` that the lock itself does not know of.
  func hasReader(of address: UInt) -> Bool {
    lock.lockForReading(for: .biased)
    defer { lock.unlockAfterReading() }
    var next = unsafe first
    while let record = next {
      for index in 0..<ReaderRecord.slotCount where record.load(from: index) == address { return true }
      next = record.links.next
    }
    return false
  }

  /// Whether a thread other than the calling one has `address` in a slot.
  package func hasOtherReader(of address: UInt) -> Bool {
    lock.lockForReading(for: .biased)
    defer { lock.unlockAfterReading() }
    var next = unsafe first
    while let record = next {
      if !record.isCurrent {
        for index in 0..<ReaderRecord.slotCount where record.load(from: index) == address { return true }
      }
      next = record.links.next
    }
    return false
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
    var count = 0
    var next = unsafe first
    while let record = next {
      count += 1
      next = record.links.next
    }
    return count
  }
}
