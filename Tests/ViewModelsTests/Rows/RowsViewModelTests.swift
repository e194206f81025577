import Snapshots
import TestSupport
import Testing

@testable import ViewModels

/// Tests the notifications, the generations and the observers of a row model.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(20)))
struct RowsViewModelTests {
  private let model = RowsViewModel(.testing())

  // MARK: Edits and notifications

  @Test("inserted, removed and modified, with index, row and the rows after it", arguments: Strategy.allCases)
  func threeNotifications(strategy: Strategy) {
    let model = RowsViewModel(.testing(strategy) { $0.initialRows = ["a", "b"] })
    let observer = RecordingObserver(model)
    let results = [
      model.apply(.insert("c", at: .index(1))), model.apply(.append("!", to: .index(2))),
      model.apply(.remove(.index(0))),
      // These edits change nothing, because their positions do not exist.
      model.apply(.remove(.index(2))), model.apply(.append("?", to: .index(-1))),
      model.apply(.insert("?", at: .index(4))),
    ]
    let late: RowEditResult = strategy == .mainActor ? .accepted : .noSuchRow
    #expect(results == [.accepted, .accepted, .accepted, late, late, late])
    model.deliverPending()
    let notified = observer.notifications
    #expect(notified.map(\.change) == [.inserted, .modified, .removed])
    #expect(notified.map(\.index) == [1, 2, 0])
    #expect(notified.map(\.number) == [1, 2, 3])
    #expect(notified.map(\.row.text) == ["c", "b!", "a"])
    #expect(notified.map(\.rows.texts) == [["a", "c", "b"], ["a", "c", "b!"], ["c", "b!"]])
    #expect(notified.allSatisfy { $0.generation == 1 } && observer.isContent)
  }

  @Test("where no worker runs, workers can be started")
  func startWithoutWorkers() async {
    model.start(workers: 0)
    model.start(workers: 1)
    #expect(model.workerCount == 1)
    await model.stop()
  }

  @Test("nothing is removed from or modified in an empty list")
  func anEmptyList() {
    #expect(model.apply(.remove(.share(7))) == .noSuchRow)
    #expect(model.apply(.append("a", to: .share(7))) == .noSuchRow)
    #expect(model.apply(.insert("a", at: .share(.max))) == .accepted)
  }

  @Test("an observer implements what it wants")
  func defaultImplementations() {
    final class OnlyRemovals: RowsObserver {
      var removed: [String] = []
      func rowRemoved(_ notification: RowNotification) { removed.append(notification.row.text) }
    }
    let model = RowsViewModel(.testing { $0.initialRows = ["a"] })
    let observer = OnlyRemovals()
    model.observer = observer
    model.apply(.insert("b", at: .index(1)))
    model.apply(.append("!", to: .index(0)))
    model.apply(.remove(.index(0)))
    model.deliverPending()
    model.restart(workers: 0)
    #expect(observer.removed == ["a!"])
  }

  @Test("an edit wakes the main actor, before and after a burst", arguments: Strategy.allCases)
  func wakesTheMainActor(strategy: Strategy) async {
    let model = RowsViewModel(.testing(strategy))
    let observer = RecordingObserver(model)
    // This test occupies the main actor until its next `await`, so no edit can be delivered before that.
    onAnotherThread { for number in 0..<500 { model.apply(.insert("\(number)", at: .index(0))) } }
    #expect(observer.notifications.isEmpty)
    await observer.waitForNotifications(500)
    onAnotherThread { _ = model.apply(.remove(.index(0))) }
    await observer.waitForNotifications(501)
    model.apply(.insert("here", at: .index(0)))
    await observer.waitForNotifications(502)
    #expect(observer.notifications.map(\.number) == Array(1...502) && observer.isContent)
  }

  /// The callback's edit acquires the lock of the rows, which would trap if it were held.
  @Test(
    "a callback that edits and delivers changes no order, and runs under no lock",
    arguments: Strategy.allCases, [false, true])
  func deliveredInACallback(strategy: Strategy, onOtherThreads: Bool) async {
    let model = RowsViewModel(.testing(strategy))
    let observer = RecordingObserver(model)
    func insert(_ texts: [String], at index: Int) {
      let edits: @Sendable () -> Void = {
        for (offset, text) in texts.enumerated() { model.apply(.insert(text, at: .index(index + offset))) }
      }
      if onOtherThreads { onAnotherThread { edits() } } else { edits() }
    }
    var isFirst = true
    observer.onCall = { [unowned model] in
      guard isFirst else { return }
      isFirst = false
      insert(["3"], at: 2)
      model.deliverPending()
    }
    insert(["1", "2"], at: 0)
    model.deliverPending()
    await observer.waitForNotifications(3)
    #expect(model.rows.texts == ["1", "2", "3"])
    #expect(observer.notifications.map(\.row.text) == ["1", "2", "3"] && observer.isContent)
  }

  @Test("any thread reads the newest rows, also before they are delivered")
  func publishedRows() {
    let published = model.publishedRows!
    let rows = onAnotherThread {
      model.apply(.insert("not delivered", at: .index(0)))
      return published.current
    }
    #expect(rows.texts == ["not delivered"] && model.rows.isEmpty)
    model.deliverPending()
    #expect(published.current == model.rows)
    #expect(RowsViewModel(.testing(.mainActor)).publishedRows == nil)
  }

  // MARK: Generations

  @Test("what waits when a callback starts the model again is dropped", arguments: Strategy.allCases)
  func restartInACallback(strategy: Strategy) {
    let model = RowsViewModel(.testing(strategy))
    let observer = RecordingObserver(model)
    var isFirst = true
    observer.onCall = { [unowned model] in
      guard isFirst else { return }
      isFirst = false
      // The edit "late", and earlier ones that are not delivered yet, are dropped by the restart.
      model.apply(.insert("late", at: .index(0)))
      model.restart(workers: 0)
      model.apply(.insert("new", at: .index(0)))
      model.deliverPending()
    }
    for _ in 0..<10 { model.apply(.insert("old", at: .index(0))) }
    model.deliverPending()
    #expect(model.rows.texts == ["new"])
    #expect(observer.notifications.map(\.row.text) == ["old", "new"] && observer.isContent)
    #expect(observer.notifications.map(\.generation) == [1, 2] && observer.restarts == [2])
  }

  @Test("the rows of notifications are released with them, and by a restart", arguments: Strategy.allCases)
  func rowsAreReleased(strategy: Strategy) async {
    let model = RowsViewModel(.testing(strategy) { $0.initialRows = ["a"] })
    let observer = RecordingObserver(model)
    let roots = (0..<50).map { _ in
      model.apply(.append("!", to: .index(0)))
      model.deliverPending()
      return WeakRoot(observer.notifications.last!.rows)
    }
    #expect(roots.allSatisfy { $0.root != nil })
    observer.forget()
    // A `Snapshot` releases replaced rows a moment later.
    while roots.dropLast().contains(where: { $0.root != nil }) { await Task.yield() }
    for _ in 0..<50 { model.apply(.append("!", to: .index(0))) }
    let waiting = WeakRoot(model.publishedRows?.current ?? model.rows)
    model.restart(workers: 0)
    while waiting.root != nil || roots.last?.root != nil { await Task.yield() }
  }

  private final class WeakRoot {
    weak var root: RowTreeNode<Row>?
    init(_ rows: RowTree<Row>) { root = rows.root }
  }

  // MARK: Observers

  @Test("an observer that goes in its own callback")
  func observerGoesInItsCallback() {
    var observer: RecordingObserver? = RecordingObserver(model)
    var calls = 0
    observer?.onCall = {
      calls += 1
      observer = nil
    }
    for _ in 0..<10 { model.apply(.insert("a", at: .index(0))) }
    model.deliverPending()
    #expect(observer == nil && calls == 1 && model.rows.count == 10)
  }

  @Test("a keyed observer gets the rows while its key lives, and none of an earlier generation")
  func keyedObservers() {
    var first: Tracked? = Tracked(Lifetimes())
    let second = Tracked(Lifetimes())
    let model = RowsViewModel(.testing { $0.initialRows = ["a"] })
    model.observe(whileAlive: first!) { [unowned model] rows in
      guard rows.texts == ["b", "a"] else { return }
      // The lock of the rows, which this edit acquires, would trap if it were held.
      model.apply(.insert("late", at: .index(0)))
      model.restart(workers: 0)
    }
    var seen: [[String]] = []
    model.observe(whileAlive: second) { seen.append($0.texts) }
    model.apply(.insert("b", at: .index(0)))
    model.deliverPending()
    #expect(seen.allSatisfy { $0 == ["a"] } && !seen.isEmpty)
    first = nil
    model.apply(.insert("b", at: .index(0)))
    model.deliverPending()
    #expect(seen.last == ["b", "a"] && model.generation == 2)
    withExtendedLifetime(second) {}
  }
}
