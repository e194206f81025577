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
    private static let explored = {
      ExploredState.register(reset: { resetExplored() }, end: {})
      return SlotMemory(count: 2)
    }()
    private static var current: SlotMemory { ExploredThreads.current == nil ? usual : explored }

    private init(count: Int) {
      self.count = count
      base = SlotTable.allocate(count)
    }

    static var count: Int { current.count }
    static var base: UInt { current.base }
    static func takeNextSlot() -> UInt64 { current.nextSlot.add(1, .relaxed) }

    private static func resetExplored() {
      explored.nextSlot.store(0, .relaxed)
      for index in 0..<explored.count {
        Slot(address: explored.base &+ UInt(SlotTable.stride * index)).vacate()
      }
    }
  }
#endif
