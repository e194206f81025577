#if Exploration
  internal import InterlockCore

  /// The memory of the `SlotTable`.
  ///
  /// Explored threads have a table of their own, because each execution must begin with an empty one. That
  /// table is small: each load of a slot is a step of a schedule, so fewer slots mean fewer schedules.
  final class SlotMemory: Sendable {
    let count: Int
    let base: UInt
    let nextSlot = AtomicWord()

    private static let usual = SlotMemory(count: SlotTable.usualCount)
    private static let explored = makeExplored(count: 2)
    private static let whole = makeExplored(count: 4 * 64)
    private static var current: SlotMemory {
      if ExploredThreads.current == nil { return usual }
      return ExploredThreads.usesWholeTables.load(.relaxed) == 0 ? explored : whole
    }

    private static func makeExplored(count: Int) -> SlotMemory {
      let memory = SlotMemory(count: count)
      ExploredState.register(reset: { memory.reset() }, end: {})
      return memory
    }

    private init(count: Int) {
      self.count = count
      base = SlotTable.allocate(count)
    }

    static var count: Int { current.count }
    static var base: UInt { current.base }
    static func takeNextSlot() -> UInt64 { current.nextSlot.add(1, .relaxed) }

    private func reset() {
      nextSlot.store(0, .relaxed)
      for index in 0..<count { Slot(address: base &+ UInt(SlotTable.stride * index)).vacate() }
    }
  }
#endif
