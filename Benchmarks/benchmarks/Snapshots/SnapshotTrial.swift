internal import RowTrees
internal import BenchmarkHarness
internal import LazyInitialization
internal import ViewModels

/// A list that is edited while an earlier snapshot of it is alive.
protocol SnapshotList: Sendable {
  init(_ texts: [String])
  var count: Int { get }
  subscript(index: Int) -> String { get set }
}

extension [String]: SnapshotList {}
extension RowTree<String>: SnapshotList {}

/// Measures how long one thread takes to replace a row of a list while a snapshot of the list is alive.
///
/// The thread takes a new snapshot before each edit, and keeps this snapshot until the next edit.
final class SnapshotTrial<List: SnapshotList>: Sendable {
  /// The list and the snapshot that one `Contestant` uses.
  private final class Rows: @unchecked Sendable {
    // `Rows` is `@unchecked Sendable`, which is sound: the harness runs the batches of a `Contestant` one
    // after another.
    var list: List
    var snapshot: List
    var random = SeededRandom(seed: 1)

    init(count: Int) {
      list = List(SnapshotTexts.make(count))
      snapshot = list
    }
  }

  // The rows are made when they are first measured, so that a run of other suites does not make them.
  private let rows: Lazy<Rows>

  init(count: Int) {
    rows = Lazy { Rows(count: count) }
  }

  func contestant(named name: String) -> Contestant {
    Contestant(name: name) { _, operations in Self.edit(self.rows.value, operations) }
  }

  private static func edit(_ rows: Rows, _ operations: Int) -> Int {
    let texts = SnapshotTexts.replacements
    for operation in 0..<operations {
      rows.snapshot = rows.list
      let index = Int(rows.random.next().multipliedFullWidth(by: UInt64(rows.list.count)).high)
      rows.list[index] = texts[operation % texts.count]
    }
    return rows.list.count
  }
}

/// Texts that are on the heap, because they are too long for the inline storage of a `String`.
enum SnapshotTexts {
  static let replacements = make(64)

  static func make(_ count: Int) -> [String] {
    (0..<count).map { "row number \($0), on the heap" }
  }
}
