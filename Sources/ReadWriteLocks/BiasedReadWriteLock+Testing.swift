internal import InterlockCore
internal import InterlockWaits

extension BiasedReadWriteLock {
  /// Whether a reader that arrives now would use a slot, if one is vacant.
  package var admitsReaderInSlot: Bool { core.central.state.state().admitsReaderInSlot }

  /// Whether the calling thread's `ThreadRecord` lists a read section.
  package static var isCallingThreadReading: Bool { ThreadRecord.current.isReading }

  /// The size of each thread's `ThreadRecord`, in bytes.
  package static var recordSize: Int { ThreadRecord.size }

  /// The number of slots in the `SlotTable` that hold the key of the lock that is, or was, at `address`.
  package static func slotCount(ofLockAt address: UnsafeRawPointer) -> Int {
    SlotTable.readers.count(of: UInt(bitPattern: address) &- lockKeyOffset)
  }
}
