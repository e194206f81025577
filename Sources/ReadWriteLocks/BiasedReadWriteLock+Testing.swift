internal import PlatformLocks

extension BiasedReadWriteLock {
  /// Whether a reader that comes now would use a slot.
  package var letsReadersIntoSlots: Bool {
    let mode = core.mode.loadRelaxed()
    return mode == BiasedReadWriteCore.Mode.fenced || mode == BiasedReadWriteCore.Mode.asymmetric
  }

  /// How many reads in a row it takes to let readers into slots.
  package var patience: Int { Int(core.patience.loadRelaxed()) }

  /// How many threads have a record.
  package static var recordCount: Int { ReaderRegistry.shared.count }

  /// The memory of a thread's record, in bytes.
  package static var recordSize: Int { ReaderRecord.size }
}
