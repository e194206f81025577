/// Deadlines, of which the earliest one is found first: a binary heap whose entries know their places.
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
    guard let place = entry.place else { return false }
    entry.place = nil
    let last = entries.removeLast()
    guard last !== entry else { return true }
    if place > 0, last.deadline < entries[(place - 1) / 2].deadline {
      moveUp(last, from: place)
    } else {
      moveDown(last, from: place)
    }
    return true
  }

  private mutating func moveUp(_ entry: DeadlineTimer.Entry, from start: Int) {
    var place = start
    while place > 0 {
      let parent = (place - 1) / 2
      guard entry.deadline < entries[parent].deadline else { break }
      put(entries[parent], at: place)
      place = parent
    }
    put(entry, at: place)
  }

  private mutating func moveDown(_ entry: DeadlineTimer.Entry, from start: Int) {
    var place = start
    while true {
      var child = 2 * place + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1].deadline < entries[child].deadline { child += 1 }
      guard entries[child].deadline < entry.deadline else { break }
      put(entries[child], at: place)
      place = child
    }
    put(entry, at: place)
  }

  private mutating func put(_ entry: DeadlineTimer.Entry, at place: Int) {
    entries[place] = entry
    entry.place = place
  }
}
