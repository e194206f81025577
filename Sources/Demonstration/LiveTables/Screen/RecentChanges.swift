/// The rows that have changed recently, by their current index.
///
/// An insertion or a removal also updates the stored indices of the rows after it. Only a fixed number of
/// changes is kept, so the time to record a change does not depend on the length of the table.
package struct RecentChanges: Sendable {
  /// The kind of a row's recent change; a removed row has no mark.
  package enum Mark: Sendable, Equatable {
    case inserted, modified
  }

  private struct Entry {
    var index: Int
    var mark: Mark
    var time: Int
  }

  private static let capacity = 256

  /// The changes, oldest first, at most one for each row.
  private var entries: [Entry] = []
  private var time = 0
  private let lifetime: Int

  /// The index of the row that was changed last; `nil` if the latest change was a removal, or nothing has
  /// changed.
  package private(set) var latest: Int?

  /// Makes an empty list of changes.
  ///
  /// - Parameter lifetime: The number of calls of `pass()` after which a change is no longer recent.
  package init(lifetime: Int) {
    self.lifetime = lifetime
  }

  package mutating func insert(at index: Int) {
    for place in entries.indices where entries[place].index >= index { entries[place].index += 1 }
    add(.inserted, at: index)
  }

  package mutating func remove(at index: Int) {
    entries.removeAll { $0.index == index }
    for place in entries.indices where entries[place].index > index { entries[place].index -= 1 }
    latest = nil
  }

  /// Marks a row as modified.
  ///
  /// A row that was inserted recently stays marked as inserted.
  package mutating func modify(at index: Int) {
    let before = entries.firstIndex { $0.index == index }.map { entries.remove(at: $0).mark }
    add(before ?? .modified, at: index)
  }

  /// Advances the time by one tick.
  package mutating func pass() {
    time += 1
    let oldest = entries.firstIndex { time - $0.time < lifetime } ?? entries.endIndex
    entries.removeFirst(oldest)
  }

  /// The recent change of the row at `index`; `nil` if there was none.
  package subscript(index: Int) -> Mark? {
    entries.last { $0.index == index }?.mark
  }

  private mutating func add(_ mark: Mark, at index: Int) {
    if entries.count == Self.capacity { entries.removeFirst() }
    entries.append(Entry(index: index, mark: mark, time: time))
    latest = index
  }
}
