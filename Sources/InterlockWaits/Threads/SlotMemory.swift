#if !Exploration
  internal import InterlockCore

  /// The memory of the `SlotTable`.
  enum SlotMemory {
    static let count = SlotTable.usualCount
    static let base = SlotTable.allocate(count)

    private static let nextSlot = AtomicWord()
    static func takeNextSlot() -> UInt64 { nextSlot.add(1, .relaxed) }
  }
#endif
