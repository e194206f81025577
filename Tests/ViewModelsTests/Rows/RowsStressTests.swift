import Snapshots
import TestSupport
import Testing
import ViewModels

/// Stresses a row model with many workers, restarts, and observers that are added and released.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(20)))
struct RowsStressTests {
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
      let observer = RecordingObserver(model)
      observer.keepsNotifications = false
      var held: [(rows: RowTree<Row>, texts: [String])] = []
      observer.onCall = { [unowned observer] in
        if observer.count % 64 == 63 { held.append((model.rows, model.rows.texts)) }
      }
      let workers = [0, 1, 8, 64][round % 4]
      model.restart(workers: workers)
      #expect(model.rows.count == 200 && model.workerCount == workers)
      let goal = workers * StressSize.pick(quick: 10, full: 100)
      while observer.count < goal {
        if random.happens(percent: 20) { model.deliverPending() }
        await Task.yield()
      }
      if random.happens(percent: 50) {
        await model.stop()
        #expect(observer.rule.rows == model.rows, "\(Seed.current)")
        if let published = model.publishedRows { #expect(published.current == model.rows, "\(Seed.current)") }
      }
      #expect(observer.isContent, "\(Seed.current)")
      #expect(held.allSatisfy { $0.rows.texts == $0.texts }, "\(Seed.current)")
    }
    await model.stop()
    #expect(model.workerCount == 0)
  }
}
