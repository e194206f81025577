import TestSupport
import Testing
import ViewModels

/// Stresses a row model with many workers, restarts, and observers that are added and released.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(20)))
struct RowsStressTests {
  /// An observer that checks each notification, and keeps some of the snapshots.
  private final class Table: RowsObserver {
    var mirror: RowsMirror
    var held: [(rows: RowsSnapshot, fingerprint: UInt64)] = []
    var isBatching = false
    var calls = 0

    init(_ model: RowsViewModel) {
      mirror = RowsMirror(model.rows)
      model.observer = self
    }

    var prefersBatches: Bool { isBatching }

    private func notified(_ notification: RowNotification) {
      mirror.apply(notification)
      calls += 1
      if calls.isMultiple(of: 64) {
        held.append((notification.rows, notification.rows.fingerprint))
        if held.count > 8 { held.removeFirst() }
      }
    }

    func rowInserted(_ notification: RowNotification) { notified(notification) }
    func rowRemoved(_ notification: RowNotification) { notified(notification) }
    func rowModified(_ notification: RowNotification) { notified(notification) }

    func rowsChanged(_ batch: RowBatch) {
      mirror.apply(batch)
      calls += 1
    }

    func rowsRestarted(_ rows: RowsSnapshot, generation: Int) { mirror.restart(rows) }
  }

  @Test("restarts under load end with a clean audit", arguments: RowsStrategy.allCases)
  func restartsUnderLoad(strategy: RowsStrategy) async {
    var random = Seed.current.generator(stream: 1)
    var configuration = RowsConfiguration()
    configuration.strategy = strategy
    // If the workers edited faster than the observer `Table` checks, the main actor would never catch up, and
    // the number of rows would grow without limit.
    configuration.speed = Sanitizer.isThreadSanitizerActive ? 100 : 500
    configuration.audits = true
    configuration.measuresLockHolds = true
    configuration.backlogBytes = 200_000
    configuration.initialRows = (0..<200).map { "row number \($0), on the heap" }
    let model = RowsViewModel(configuration)
    for round in 0..<StressSize.pick(quick: 6, full: 120) {
      let table = Table(model)
      let workers = [1, 8, 0, 16][round % 4]
      model.restart(workers: workers)
      let goal = model.statistics.posted.total + workers * StressSize.pick(quick: 25, full: 500)
      while model.statistics.posted.total < goal {
        if random.happens(percent: 5) { table.isBatching.toggle() }
        if random.happens(percent: 20) { model.deliverPending() }
        await Task.yield()
      }
      if random.happens(percent: 50) {
        model.stop()
        while model.statistics.queued > 0 { model.deliverPending() }
        #expect(table.mirror.fingerprint == model.latestRows.fingerprint, "\(Seed.current)")
      }
      #expect(table.mirror.violations == 0 && table.mirror.sequenceGaps == 0, "\(Seed.current)")
      #expect(table.held.allSatisfy { $0.rows.fingerprint == $0.fingerprint }, "\(Seed.current)")
    }
    model.stop()
    while model.statistics.queued > 0 { model.deliverPending() }
    #expect(model.audit().complaints == [], "\(Seed.current)")
    #expect(model.statistics.liveSnapshots == 0 && model.statistics.liveObservers == 0)
    #expect(model.statistics.liveThreads == 0)
    #expect((model.statistics.lockHolds?.count ?? 0) > 0 || strategy == .mainActor)
  }
}
