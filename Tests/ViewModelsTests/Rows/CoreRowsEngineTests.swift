import Protectors
import TestSupport
import RowTrees
import Testing

@testable import ViewModels

/// An owner of rows (see `RowsCore`) that keeps them in an array behind a lock.
///
/// The critical section that makes an edit also posts it to the model.
private final class ArrayCore: RowsCore {
  struct State: Sendable {
    var rows: [Row] = []
    var generation = 0
    var sequence: UInt64 = 0
    var inbox: RowsInbox?
    var outcomes: [RowsInbox.Outcome] = []
    /// The number of workers in each call of `start`.
    var starts: [Int] = []
    /// For each call of `read`, whether the model accepted the rows as up to date.
    var wereUpToDate: [Bool] = []
  }

  let state = ExclusiveProtector(State())
  /// Whether `read` passes the rows of this core to its closure; otherwise `read` returns `false`.
  let givesRows: Bool
  /// A number that `read` adds to the sequence number, to make a deliberate mistake.
  let error: UInt64

  init(givesRows: Bool = true, error: UInt64 = 0) {
    self.givesRows = givesRows
    self.error = error
  }

  func activate(_ inbox: RowsInbox, beginning begin: () -> Bool) -> Bool {
    state.withLock { $0.inbox = inbox }
    return begin()
  }

  func begin(generation: Int, firstID: UInt64, texts: [String]) -> Bool {
    state.withLock { state in
      state.rows = texts.enumerated().map { Row(id: firstID + UInt64($0.offset), text: $0.element) }
      (state.generation, state.sequence) = (generation, 0)
    }
    return true
  }

  func start(workers count: Int, speed: Double, seed: UInt64) { state.withLock { $0.starts.append(count) } }
  func stop() {}
  var running: Int { 0 }
  var hasEnded: Bool { false }

  func apply(_ command: RowCommand) -> Bool {
    state.withLock { state in
      let nextID = UInt64(1_000) * UInt64(state.generation) + state.sequence
      guard let edit = state.rows.apply(command, nextID: nextID, sequence: state.sequence + 1) else {
        return false
      }
      state.sequence += 1
      let outcome = state.inbox?.post(
        edit.change, at: edit.index, edit.row, sequence: edit.sequence, generation: state.generation)
      state.outcomes.append(outcome ?? .closed)
      return true
    }
  }

  func read(_ body: (CoreRows) -> Bool) -> Bool {
    guard givesRows else { return false }
    state.withLock { state in
      let isUpToDate = body(
        CoreRows(rows: state.rows, generation: state.generation, sequence: state.sequence + error))
      state.wereUpToDate.append(isUpToDate)
    }
    return true
  }
}

/// Tests a row model whose rows are kept by another object (see `RowsCore`).
@MainActor
@Suite(.serialized, .timeLimit(.minutes(20)))
struct CoreRowsEngineTests {
  private func model(
    _ core: ArrayCore, _ change: (inout RowsConfiguration) -> Void = { _ in }
  ) throws -> RowsViewModel {
    try #require(RowsViewModel(.testing(.tree, change), owner: core))
  }

  @Test("each edit is notified of in order, with the rows as it left them")
  func inOrder() throws {
    let core = ArrayCore()
    let model = try model(core) { $0.initialRows = ["a", "b"] }
    let observer = RecordingObserver(model)
    model.apply(.insert("c", .index(1)))
    model.apply(.append("!", .index(2)))
    model.apply(.remove(.index(0)))
    #expect(!model.apply(.remove(.index(2))))
    model.deliverPending()
    let notified = observer.notifications
    #expect(notified.map(\.change) == [.inserted, .modified, .removed])
    #expect(notified.map(\.sequence) == [1, 2, 3])
    #expect(notified.map(\.row.text) == ["c", "b!", "a"])
    #expect(notified.map(\.rows.texts) == [["a", "c", "b"], ["a", "c", "b!"], ["c", "b!"]])
    #expect(observer.isContent)
    #expect(model.rows.nextID == 1_001)
    #expect(model.latestRows == model.rows && model.rows.texts == core.state.withLock { $0.rows.map(\.text) })
    #expect(model.audit().complaints == [])
  }

  @Test("workers are those of the core")
  func workers() throws {
    let core = ArrayCore()
    let model = try model(core)
    model.restart(workers: 3)
    model.restart(workers: 0)
    #expect(core.state.withLock { $0.starts } == [3, 0])
  }

  @Test("a row that the core's rows may have had is not inserted again")
  func oldNumber() {
    let inbox = RowsInbox(byteLimit: 1_000)
    inbox.open {}
    _ = inbox.begin(rowCount: 0)
    _ = inbox.take(into: [], rows: RowsSnapshot(storage: .tree([]), nextID: 5))
    func post(_ id: UInt64) -> RowsInbox.Outcome {
      inbox.post(.inserted, at: 0, Row(id: id, text: "a"), sequence: 1, generation: 1)
    }
    #expect(post(4) == .outOfOrder)
    #expect(post(5) == .posted)
  }

  @Test("the next row after a start has the next number")
  func nextNumber() throws {
    let core = ArrayCore()
    let model = try model(core) { $0.initialRows = ["a", "b"] }
    #expect(model.rows.map(\.id) == [0, 1] && model.rows.nextID == 2)
    #expect(model.latestRows.nextID == 2)
    model.restart(workers: 0)
    #expect(model.rows.map(\.id) == [2, 3] && model.rows.nextID == 4)
  }

  @Test("the latest rows are the core's, also before the model shows them")
  func latest() throws {
    let core = ArrayCore()
    let model = try model(core) { $0.initialRows = ["a"] }
    model.apply(.insert("b", .index(1)))
    #expect(model.latestRows.texts == ["a", "b"] && model.rows.texts == ["a"])
    model.deliverPending()
    #expect(model.rows.texts == ["a", "b"])
  }

  @Test("threads that edit wake the main actor")
  func editedByThreads() async throws {
    let core = ArrayCore()
    let model = try model(core)
    let observer = RecordingObserver(model)
    race(threads: 4) { _ in
      for _ in 0..<100 { _ = core.apply(.insert("row", .share(.max / 2))) }
    }
    while model.statistics.delivered < 400 { await Task.yield() }
    #expect(observer.isContent && model.rows.count == 400)
    #expect(model.audit().complaints == [])
  }

  @Test("what is too much for the backlog is composed from the core's rows", arguments: [0, 5_000])
  func backlog(bytes: Int) throws {
    let core = ArrayCore()
    let model = try model(core) {
      $0.initialRows = ["a", "b", "c"]
      $0.backlogBytes = bytes
    }
    let observer = RecordingObserver(model)
    for round in 1...3 {
      for number in 0..<100 {
        model.apply(number % 3 == 2 ? .remove(.share(.max / 3)) : .insert("\(number)", .share(.max / 2)))
        model.apply(.append("!", .share(UInt64(number) << 57)))
      }
      model.deliverPending()
      #expect(model.statistics.composedBatches == round)
      #expect(model.rows == model.latestRows)
    }
    #expect(observer.isContent)
    #expect(model.audit().complaints == [])
  }

  @Test("a core learns whether the rows that it gave were up to date", arguments: [0, 1])
  func upToDate(error: UInt64) throws {
    let core = ArrayCore(error: error)
    let model = try model(core) { $0.backlogBytes = 0 }
    for _ in 0..<3 { model.apply(.insert("a", .index(0))) }
    model.deliverPending()
    let wereUpToDate = core.state.withLock { $0.wereUpToDate }
    #expect(!wereUpToDate.isEmpty && wereUpToDate.allSatisfy { $0 == (error == 0) })
  }

  @Test("a restart drops what waits, and what a thread posts late")
  func restart() throws {
    let core = ArrayCore()
    let model = try model(core) {
      $0.initialRows = ["a"]
      // With this limit, the model only counts some waiting edits, and does not keep them. The restart must
      // drop those edits too.
      $0.backlogBytes = 1_000
    }
    let observer = RecordingObserver(model)
    for _ in 0..<10 { model.apply(.append("!", .index(0))) }
    model.restart(workers: 0)
    #expect(model.rows.texts == ["a"] && model.statistics.droppedByGeneration == 10)
    let inbox = try #require(core.state.withLock { $0.inbox })
    #expect(inbox.post(.removed, at: 0, Row(id: 0, text: "a"), sequence: 1, generation: 1) == .oldGeneration)
    model.apply(.append("?", .index(0)))
    model.deliverPending()
    #expect(model.rows.texts == ["a?"] && observer.isContent)
    #expect(model.audit().complaints == [])
  }

  @Test("an edit that can't follow the last one is refused, and changes nothing")
  func refused() throws {
    let core = ArrayCore()
    let model = try model(core) { $0.initialRows = ["a", "b"] }
    let inbox = try #require(core.state.withLock { $0.inbox })
    func post(_ change: RowChange, _ index: Int, id: UInt64, sequence: UInt64) -> RowsInbox.Outcome {
      inbox.post(change, at: index, Row(id: id, text: "x"), sequence: sequence, generation: 1)
    }
    #expect(post(.modified, 0, id: 0, sequence: 2) == .outOfOrder)
    #expect(post(.modified, 0, id: 0, sequence: 0) == .outOfOrder)
    #expect(post(.inserted, 0, id: 1, sequence: 1) == .outOfOrder)
    #expect(post(.inserted, 0, id: .max, sequence: 1) == .outOfOrder)
    #expect(post(.inserted, 3, id: 9, sequence: 1) == .noSuchRow)
    #expect(post(.removed, 2, id: 9, sequence: 1) == .noSuchRow)
    #expect(post(.modified, -1, id: 9, sequence: 1) == .noSuchRow)
    #expect(post(.inserted, 2, id: 9, sequence: 1) == .posted)
    #expect(post(.inserted, 3, id: 9, sequence: 2) == .outOfOrder)
    #expect(post(.inserted, 3, id: 10, sequence: 2) == .posted)
    inbox.close()
    #expect(post(.removed, 0, id: 0, sequence: 3) == .closed)
    model.deliverPending()
    #expect(model.rows.texts == ["a", "b", "x", "x"] && model.statistics.posted.total == 2)
  }

  @Test("an edit of another row than it says is found by the audit")
  func wrongRow() throws {
    let core = ArrayCore()
    let model = try model(core) { $0.initialRows = ["a", "b"] }
    let inbox = try #require(core.state.withLock { $0.inbox })
    #expect(inbox.post(.modified, at: 0, Row(id: 1, text: "x"), sequence: 1, generation: 1) == .posted)
    model.deliverPending()
    #expect(model.audit().complaints.contains("the table rule was broken 1 times"))
  }

  @Test("a core that does not give its rows leaves those that are shown, and nothing traps")
  func unreadable() throws {
    let core = ArrayCore(givesRows: false)
    let model = try model(core) {
      $0.initialRows = ["a", "b"]
      $0.backlogBytes = 0
    }
    let observer = RecordingObserver(model)
    for _ in 0..<10 { model.apply(.insert("c", .index(2))) }
    model.deliverPending()
    #expect(model.rows.texts == ["a", "b"] && model.latestRows == model.rows)
    #expect(model.statistics.delivered == 10)
    // The array of `core` has 12 rows, but the model shows only two. So the model refuses an edit of row 11.
    model.apply(.remove(.index(11)))
    #expect(core.state.withLock { $0.outcomes.last } == .noSuchRow)
    model.deliverPending()
    #expect(observer.mirror.count == 2)
  }

  @Test("a row whose identity nothing has inserted is refused", arguments: [1, 1 << 62, .max] as [UInt64])
  func strangers(id: UInt64) throws {
    let core = ArrayCore()
    let model = try model(core) { $0.initialRows = ["a"] }
    let inbox = try #require(core.state.withLock { $0.inbox })
    for change in [RowChange.modified, .removed] {
      #expect(inbox.post(change, at: 0, Row(id: id, text: "x"), sequence: 1, generation: 1) == .noSuchRow)
    }
    model.deliverPending()
    #expect(model.rows.texts == ["a"])
  }

  @Test("the greatest identity can be inserted once, and a generation can begin after it")
  func greatestIdentity() throws {
    let core = ArrayCore()
    let model = try model(core) { $0.initialRows = ["a"] }
    let inbox = try #require(core.state.withLock { $0.inbox })
    let row = Row(id: RowsInbox.greatestID, text: "x")
    #expect(inbox.post(.inserted, at: 0, row, sequence: 1, generation: 1) == .posted)
    #expect(inbox.post(.inserted, at: 0, row, sequence: 2, generation: 1) == .outOfOrder)
    model.deliverPending()
    #expect(model.rows.texts == ["x", "a"])
    model.restart(workers: 0)
    #expect(model.rows.map(\.id) == [RowsInbox.greatestID + 1])
  }

  @Test("a worker's last reference is not the model's: an edit that is under way ends without it")
  func endsFirst() throws {
    let core = ArrayCore()
    var model: RowsViewModel? = try model(core)
    weak let gone = model
    model = nil
    #expect(gone == nil)
    #expect(core.apply(.insert("later", .index(0))))
    #expect(core.state.withLock { $0.outcomes } == [.posted])
  }
}
