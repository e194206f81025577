#if !Exploration
  /// The memory of a `SlotTable`.
  struct SlotMemory: Sendable {
    let current = SlotArray(count: SlotTable.usualCount)
  }
#endif
