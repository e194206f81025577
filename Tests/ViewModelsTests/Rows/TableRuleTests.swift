import TestSupport
import Testing

@testable import ViewModels

/// Tests the table rule: the rows in a notification must be the earlier rows with the one change applied.
///
/// `WrongModelTests` has models that violate the rule.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct TableRuleTests {
  @Test("it holds at each callback, under load", arguments: RowsStrategy.allCases)
  func holdsUnderLoad(strategy: RowsStrategy) async {
    let model = RowsViewModel(.testing(strategy) { $0.speed = 2_000 })
    let observer = RecordingObserver(model)
    observer.keepsNotifications = false
    model.restart(workers: 4)
    while model.statistics.delivered < 1_000 { await Task.yield() }
    model.stop()
    while model.statistics.queued > 0 { model.deliverPending() }
    #expect(observer.isContent)
    #expect(model.statistics.violations == 0 && model.statistics.sequenceGaps == 0)
    #expect(model.audit().complaints == [])
  }

  @Test("enqueued under the lock, an edit can't be overtaken")
  func rightWayIsNotOvertaken() {
    // After the first edit, its thread releases the lock and blocks until the second edit has ended. Even so,
    // the notification of the first edit must come first, because it was enqueued under the lock.
    let overtaken = Signal()
    let isUnlocked = Signal()
    let model = RowsViewModel(
      .testing { configuration in
        configuration.initialRows = ["a"]
        configuration.afterUnlock = { sequence in
          guard sequence == 1 else { return }
          isUnlocked.send()
          overtaken.wait()
        }
      })
    let observer = RecordingObserver(model)
    concurrently(
      { model.apply(.insert("b", .index(0))) },
      {
        isUnlocked.wait()
        model.apply(.remove(.index(1)))
        overtaken.send()
      })
    model.deliverPending()
    #expect(observer.notifications.map(\.sequence) == [1, 2])
    #expect(model.audit().complaints == [])
  }

  @Test("a callback has the rows after its change")
  func rightWayHasItsRows() {
    let model = RowsViewModel(.testing())
    let observer = RecordingObserver(model)
    onAnotherThread {
      model.apply(.insert("a", .index(0)))
      model.apply(.insert("b", .index(0)))
    }
    model.deliverPending()
    #expect(observer.notifications.map(\.rows.count) == [1, 2])
    #expect(model.audit().complaints == [])
  }

  @Test("the same commands make the same rows with each strategy")
  func strategiesAgree() {
    var random = Seed.current.generator(stream: 10)
    let commands = (0..<3_000).map { number -> RowCommand in
      let position = RowPosition.share(random.next())
      if random.happens(percent: 30) { return .insert("row \(number)", position) }
      return random.happens(percent: 30) ? .remove(position) : .append("-\(number)", position)
    }
    let results = RowsStrategy.allCases.map { strategy -> RowsSnapshot in
      let model = RowsViewModel(.testing(strategy) { $0.initialRows = (0..<300).map { "first \($0)" } })
      let observer = RecordingObserver(model)
      for (number, command) in commands.enumerated() {
        model.apply(command)
        if number.isMultiple(of: 97) { model.deliverPending() }
      }
      model.deliverPending()
      #expect(observer.isContent && model.audit().complaints == [], "\(strategy), \(Seed.current)")
      return model.rows
    }
    #expect(results.dropFirst().allSatisfy { $0 == results[0] }, "\(Seed.current)")
  }

  /// Makes a snapshot of rows with these texts.
  private func rows(_ texts: String...) -> RowsSnapshot {
    RowsViewModel(.testing { $0.initialRows = texts }).rows
  }

  @Test("a mirror counts a removal of another row, and one that leaves too many rows, as violations")
  func wrongRemovals() {
    let before = rows("a", "b")
    let fewer = rows("b")
    for (row, after) in [(before[1], fewer), (before[0], before)] {
      var mirror = RowsMirror(before)
      let isRight = mirror.apply(
        RowNotification(change: .removed, index: 0, row: row, rows: after, sequences: 1...1, generation: 0))
      #expect(!isRight && mirror.violations == 1)
    }
  }

  @Test("a mirror counts a row behind the end of a notification's rows as a violation")
  func rowBehindTheEnd() {
    func notification(_ change: RowChange, at index: Int, _ rows: RowsSnapshot) -> RowNotification {
      RowNotification(
        change: change, index: index, row: rows[0], rows: rows, sequences: 1...1, generation: 0)
    }
    let one = rows("a")
    let two = rows("a", "b")
    let three = rows("a", "b", "c")
    var mirror = RowsMirror(two)
    let isRight = mirror.apply(notification(.modified, at: 2, three))
    #expect(!isRight && mirror.violations == 1)
    for (change, rows) in [(RowChange.modified, one), (.inserted, two)] {
      var mirror = RowsMirror(two)
      // The mirror has no row at index 2, so it keeps its two rows. The notification's snapshot has only one
      // row.
      mirror.apply(notification(.removed, at: 2, one))
      let isRight = mirror.apply(notification(change, at: rows.count, rows))
      #expect(!isRight && mirror.violations == 2)
      // The batch fits the rows of the last notification, but not the mirror's rows, so it is a violation.
      let batch = RowBatch(from: one, to: one, sequences: 2...2, generation: 0)
      let isBatchRight = mirror.apply(batch)
      #expect(!isBatchRight && mirror.violations == 3)
      #expect(mirror.count == 1, "the mirror continues with the rows of the batch")
    }
  }
}
