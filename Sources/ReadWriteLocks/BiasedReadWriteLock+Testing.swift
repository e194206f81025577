internal import PlatformLocks

extension BiasedReadWriteLock {
  /// Whether a reader that comes now would use a slot.
  package var letsReadersIntoSlots: Bool {
    BiasedReadWriteCore.Mode.letsReadersIntoSlots(core.mode.loadRelaxed())
  }

  /// Whether a reader that comes now would use a slot and execute a barrier.
  package var readersUseBarriers: Bool {
    letsReadersIntoSlots && core.mode.loadRelaxed() != BiasedReadWriteCore.Mode.asymmetric
  }

  /// How many reads in a row it takes to let readers into slots.
  package var patience: Int { Int(core.patience.loadRelaxed()) }

  /// After this many reads of a new lock by one thread, without a write, readers use slots.
  package static var readsInRowAtMost: Int {
    Int(BiasPolicy.Reports.longestInterval) + Int(BiasPolicy.leastPatience)
  }

  /// Whether the calling thread's slots tell that it is in a read section or a delivery.
  package static var isCallingThreadInAnything: Bool { ReaderRecord.current.isInAnything }

  /// How many threads have a record.
  package static var recordCount: Int { ReaderRegistry.shared.count }

  /// The memory of a thread's record, in bytes.
  package static var recordSize: Int { ReaderRecord.size }

  /// How much of that is in use.
  package static var usedRecordSize: Int { ReaderRecord.attached.usedSize }
}
