import Snapshots
import TestSupport
import Testing
import ViewModels

/// Stresses a row model with many workers, restarts, and observers that are added and released.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(20)))
struct RowsStressTests {
  /// An observer that checks each notification, and keeps the rows of some.
  private final class Table: RowsObserver {
    var rule: TableRule
    var held: [(rows: RowTree<Row>, texts: [String])] = []
    var (calls, generation, strays) = (0, 0, 0)

    init(_ model: RowsViewModel) {
      rule = TableRule(model.rows)
      model.observer = self
    }

    private func notified(_ notification: RowNotification) {
      if rule.check(notification), notification.generation != generation { strays += 1 }
      calls += 1
      if calls.isMultiple(of: 64) {
        held.append((notification.rows, notification.rows.texts))
        if held.count > 8 { held.removeFirst() }
      }
    }

    func rowInserted(_ notification: RowNotification) { notified(notification) }
    func rowRemoved(_ notification: RowNotification) { notified(notification) }
    func rowModified(_ notification: RowNotification) { notified(notification) }
    func rowsRestarted(_ rows: RowTree<Row>, generation: Int) {
      rule = TableRule(rows)
      self.generation = generation
    }
  }

  @Test(
    "restarts with 0, 1, 8 and 64 workers, and stops, under load, keep the table rule",
    arguments: Strategy.allCases)
  func restartsUnderLoad(strategy: Strategy) async {
    var random = Seed.current.generator(stream: 1)
    let model = RowsViewModel(
      .testing(strategy) {
        $0.speed = Sanitizer.isThreadSanitizerActive ? 100 : 500
        $0.backlogLimit = 16
        $0.initialRows = (0..<200).map { "row number \($0), on the heap" }
      })
    for round in 0..<StressSize.pick(quick: 12, full: 200) {
      let table = Table(model)
      let workers = [0, 1, 8, 64][round % 4]
      model.restart(workers: workers)
      #expect(model.rows.count == 200 && model.workerCount == workers)
      let goal = workers * StressSize.pick(quick: 10, full: 100)
      while table.calls < goal {
        if random.happens(percent: 20) { model.deliverPending() }
        await Task.yield()
      }
      if random.happens(percent: 50) {
        await model.stop()
        #expect(table.rule.rows == model.rows, "\(Seed.current)")
        if let published = model.publishedRows { #expect(published.current == model.rows, "\(Seed.current)") }
      }
      #expect(table.rule.violations == 0 && table.strays == 0, "\(Seed.current)")
      #expect(table.held.allSatisfy { $0.rows.texts == $0.texts }, "\(Seed.current)")
    }
    await model.stop()
    #expect(model.workerCount == 0)
  }
}
