/// Which rows have changed lately, by where they are now.
///
/// A change moves the rows behind it, and the marks with them. Only the latest changes are kept, so that
/// noting one takes the same time in a table of any length.
package struct RecentChanges: Sendable {
  /// What has happened to a row that is there.
  package enum Mark: Sendable, Equatable {
    case inserted, modified
  }

  private struct Entry {
    var index: Int
    var mark: Mark
    var time: Int
  }

  private static let capacity = 256

  /// The oldest first, at most one for each row.
  private var entries: [Entry] = []
  private var time = 0
  private let lifetime: Int

  /// The row of the latest change; `nil` where it is gone.
  package private(set) var latest: Int?

  /// - Parameter lifetime: For how many steps of time a change is recent.
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

  /// A row that was inserted lately stays one that was.
  package mutating func modify(at index: Int) {
    let before = entries.firstIndex { $0.index == index }.map { entries.remove(at: $0).mark }
    add(before ?? .modified, at: index)
  }

  /// A step of time.
  package mutating func pass() {
    time += 1
    let oldest = entries.firstIndex { time - $0.time < lifetime } ?? entries.endIndex
    entries.removeFirst(oldest)
  }

  /// What has happened lately to the row that is at `index` now.
  package subscript(index: Int) -> Mark? {
    entries.last { $0.index == index }?.mark
  }

  private mutating func add(_ mark: Mark, at index: Int) {
    if entries.count == Self.capacity { entries.removeFirst() }
    entries.append(Entry(index: index, mark: mark, time: time))
    latest = index
  }
}
