/// A binary heap of deadlines with the earliest one first.
///
/// Each entry stores its index, so any entry can be removed without a search.
///
/// - Complexity: O(log *n*) to insert and to remove.
struct DeadlineHeap {
  private var entries: [DeadlineTimer.Entry] = []

  var first: DeadlineTimer.Entry? { entries.first }

  mutating func insert(_ entry: DeadlineTimer.Entry) {
    entries.append(entry)
    moveUp(entry, from: entries.count - 1)
  }

  /// Removes an entry.
  ///
  /// - Returns: Whether it was in the heap.
  mutating func remove(_ entry: DeadlineTimer.Entry) -> Bool {
    guard let index = entry.index else { return false }
    entry.index = nil
    let last = entries.removeLast()
    guard last !== entry else { return true }
    if index > 0, last.deadline < entries[(index - 1) / 2].deadline {
      moveUp(last, from: index)
    } else {
      moveDown(last, from: index)
    }
    return true
  }

  @inline(never)
  private mutating func moveUp(_ entry: DeadlineTimer.Entry, from start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard entry.deadline < entries[parent].deadline else { break }
      put(entries[parent], at: index)
      index = parent
    }
    put(entry, at: index)
  }

  private mutating func moveDown(_ entry: DeadlineTimer.Entry, from start: Int) {
    var index = start
    while true {
      var child = 2 * index + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1].deadline < entries[child].deadline { child += 1 }
      guard entries[child].deadline < entry.deadline else { break }
      put(entries[child], at: index)
      index = child
    }
    put(entry, at: index)
  }

  private mutating func put(_ entry: DeadlineTimer.Entry, at index: Int) {
    entries[index] = entry
    entry.index = index
  }
}
