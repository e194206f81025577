import RowTrees
import AtomicProperties
import Testing

@testable import ViewModels

/// Tests which edits a mailbox keeps one by one, and which edits it only counts.
@Suite struct RowsMailboxTests {
  @Test(
    "Once an edit was too much, all that follow are composed with it, however small, until the burst is taken"
  )
  func nothingAfterWhatIsComposed() {
    var mailbox = RowsMailbox(byteLimit: 100)
    #expect(mailbox.admit(sequence: 1, bytes: 60) == (true, true))
    #expect(mailbox.admit(sequence: 2, bytes: 60) == (false, false))
    #expect(mailbox.admit(sequence: 3, bytes: 1) == (false, false))
    #expect(mailbox.firstComposed == 2)
    #expect(mailbox.count == 3)
    var edits: [PostedEdit] = []
    #expect(mailbox.take(into: &edits) == 2)
    #expect(mailbox.count == 0)
    #expect(mailbox.mostCount == 3)
    // After `take`, new edits may use the whole limit again, and the first of them wakes the main actor.
    #expect(mailbox.admit(sequence: 4, bytes: 100) == (true, true))
    #expect(mailbox.take(into: &edits) == 0)
  }

  /// The number of bytes that the limit counts for a notification without a snapshot, for a row "a".
  ///
  /// The entry counts twice, because the array of entries grows by doubling.
  private let bytesOfEntry = 2 * MemoryLayout<PostedEdit>.stride + 1

  /// Inserts a row into rows whose waiting notifications may take `limit` bytes.
  ///
  /// Returns whether the notification of the insertion is kept.
  private func keepsNotification<Store: RowStore>(
    _ store: Store.Type, _ strategy: RowsStrategy, limit: Int
  ) -> Bool {
    var configuration = RowsConfiguration()
    configuration.strategy = strategy
    configuration.backlogBytes = limit
    var rows = RowsWithMailbox<Store>(configuration, lives: AtomicProperty(0))
    let command = RowCommand.insert("a", .index(0))
    let edit = rows.edit(command)!
    _ = rows.post(edit, command)
    return rows.takeBurst().edits.count == 1
  }

  @Test("A notification counts with its entry, its text, and all memory that its snapshot keeps alive")
  func memoryOfANotification() {
    let row = [Row(id: 0, text: "a")]
    let bytesInArray = bytesOfEntry + row.bytesPerSnapshot + SnapshotLife.bytes
    #expect(keepsNotification([Row].self, .array, limit: bytesInArray))
    #expect(!keepsNotification([Row].self, .array, limit: bytesInArray - 1))
    let bytesInTree = bytesOfEntry + RowTree(row).bytesPerSnapshot + SnapshotLife.bytes
    #expect(keepsNotification(RowTree<Row>.self, .tree, limit: bytesInTree))
    #expect(!keepsNotification(RowTree<Row>.self, .tree, limit: bytesInTree - 1))
    #expect(keepsNotification(RowTree<Row>.self, .delta, limit: bytesOfEntry))
    #expect(!keepsNotification(RowTree<Row>.self, .delta, limit: bytesOfEntry - 1))
  }

  @Test("A notification of a core counts with its entry and its text")
  func memoryOfACoresNotification() {
    for limit in [bytesOfEntry, bytesOfEntry - 1] {
      let inbox = RowsInbox(byteLimit: limit)
      inbox.open {}
      let (generation, id, _) = inbox.begin(rowCount: 0)
      let row = Row(id: id, text: "a")
      #expect(inbox.post(.inserted, at: 0, row, sequence: 1, generation: generation) == .posted)
      // `take` returns `nil` if the limit had no room for the notification of the edit.
      #expect((inbox.take(into: []) != nil) == (limit == bytesOfEntry))
    }
  }
}

/// Tests that an engine refuses edits that were made for another generation (see `RowsViewModel`).
@MainActor
@Suite struct RowsGenerationTests {
  /// Makes an engine and begins a generation; returns the engine and the number of the generation.
  private func engine(_ strategy: RowsStrategy) -> (engine: any RowsEngine, generation: Int) {
    var configuration = RowsConfiguration()
    configuration.strategy = strategy
    let delivery = RowsDelivery(configuration)
    let engine: any RowsEngine =
      switch strategy {
      case .array: LockedRowsEngine<[Row]>(configuration, delivery: delivery)
      case .tree, .delta: LockedRowsEngine<RowTree<Row>>(configuration, delivery: delivery)
      case .mainActor: MainActorRowsEngine(configuration, delivery: delivery)
      }
    let beginning = engine.begin(["a"])
    delivery.begin(beginning)
    return (engine, beginning.generation)
  }

  @Test(
    "Edits of another generation are refused, of dismissed workers, too; others are taken",
    arguments: RowsStrategy.allCases)
  func generations(strategy: RowsStrategy) {
    let (engine, generation) = engine(strategy)
    @MainActor func count(after generation: Int?) -> Int {
      engine.apply(.insert("b", .index(0)), generation: generation)
      engine.drain()
      return engine.latest.count
    }
    #expect(count(after: generation) == 2)
    #expect(count(after: generation - 1) == 2)
    #expect(count(after: generation + 1) == 2)
    engine.dismissWorkers()
    #expect(count(after: generation) == 2)
    #expect(count(after: nil) == 3)
    // After another restart, the engine must accept edits of its new workers, but not those of the old ones.
    let next = engine.begin(["a"]).generation
    #expect(count(after: generation) == 1)
    #expect(count(after: next) == 2)
  }
}
