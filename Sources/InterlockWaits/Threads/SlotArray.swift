internal import InterlockCore

/// The slots of a `SlotTable`, and the number of threads that have asked for one.
final class SlotArray: Sendable {
  let count: Int
  let base: UInt
  let nextSlot = AtomicWord()

  init(count: Int) {
    self.count = count
    base = SlotTable.allocate(count)
  }

  func takeNextSlot() -> UInt64 { nextSlot.add(1, .relaxed) }
}
