#if Exploration
  internal import InterlockCore

  /// The memory of a `SlotTable`.
  ///
  /// Explored threads have tables of their own, because each execution must begin with empty ones. Those
  /// tables are small: each load of a slot is a step of a schedule, so fewer slots mean fewer schedules.
  struct SlotMemory: Sendable {
    private let usual = SlotArray(count: SlotTable.usualCount)
    private let explored = SlotArray(count: 2)
    private let whole = SlotArray(count: SlotTable.slotsPerProcessor * 64)

    init() {
      for slots in [explored, whole] { ExploredState.register(reset: { slots.reset() }, end: {}) }
    }

    var current: SlotArray {
      guard let thread = ExploredThreads.current else { return usual }
      return thread.usesWholeTables ? whole : explored
    }
  }

  extension SlotArray {
    fileprivate func reset() {
      nextSlot.store(0, .relaxed)
      for index in 0..<count { Slot(address: base &+ UInt(SlotTable.stride * index)).vacate() }
    }
  }
#endif
