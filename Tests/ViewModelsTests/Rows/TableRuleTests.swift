import Observers
import Protectors
import Snapshots
import TestSupport
import Testing

@testable import ViewModels

/// Tests the table rule, and a model that is wrong on purpose and breaks it.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct TableRuleTests {
  @Test("the same edits make the same rows with each strategy")
  func strategiesAgree() {
    var random = Seed.current.generator(stream: 10)
    let edits = (0..<3_000).map { number -> RowEdit in
      let position = RowPosition.share(random.next())
      if random.happens(percent: 30) { return .insert("row \(number)", at: position) }
      return random.happens(percent: 30) ? .remove(position) : .append("-\(number)", to: position)
    }
    let results = Strategy.allCases.map { strategy -> RowTree<Row> in
      let model = RowsViewModel(.testing(strategy) { $0.initialRows = (0..<300).map { "first \($0)" } })
      let observer = RecordingObserver(model)
      for (number, edit) in edits.enumerated() {
        model.apply(edit)
        if number.isMultiple(of: 97) { model.deliverPending() }
      }
      model.deliverPending()
      #expect(observer.isContent, "\(strategy), \(Seed.current)")
      return model.rows
    }
    #expect(results.dropFirst().allSatisfy { $0 == results[0] }, "\(Seed.current)")
  }

  // MARK: A wrong model

  /// An editor that posts a change after the unlock, and calls `afterFirst` between the two of its first edit.
  private struct UnlockingEditor: RowEditor {
    let list: Protector<RowList>
    let delivery: OrderedDelivery<RowMessage>
    let afterFirst: @Sendable () -> Void

    var published: Snapshot<RowTree<Row>>? { nil }

    func apply(_ edit: RowEdit) -> RowEditResult {
      guard let change = list.withWriteLock({ $0.make(edit) }) else { return .noSuchRow }
      if change.number == 1 { afterFirst() }
      return delivery.post(.change(change)) ? .accepted : .noRoom
    }
  }

  @Test("unlocking before notifying lets another edit overtake")
  func unlockingFirst() {
    let overtaken = Signal()
    let isUnlocked = Signal()
    // The thread of the first edit blocks after the unlock until the second edit has been posted.
    let strategy = RowsStrategy { list, delivery in
      UnlockingEditor(list: Protector(list), delivery: delivery) {
        isUnlocked.send()
        overtaken.wait()
      }
    }
    let model = RowsViewModel(
      .testing {
        $0.initialRows = ["a"]
        $0.strategy = strategy
      })
    let observer = RecordingObserver(model)
    concurrently(
      { model.apply(.insert("b", at: .index(0))) },
      {
        isUnlocked.wait()
        model.apply(.remove(.index(1)))
        overtaken.send()
      })
    model.deliverPending()
    #expect(observer.notifications.map(\.number) == [2, 1])
    #expect(!observer.isContent && observer.rule.violations == 2)
  }

  // MARK: The check

  /// Rows with the identities 0, 1, 2, ….
  private func rows(_ texts: String...) -> RowTree<Row> {
    RowTree(texts.enumerated().map { Row(id: $0.offset, text: $0.element) })
  }

  private func violations(
    _ before: RowTree<Row>, _ change: RowChange, at index: Int, _ row: Row, after: RowTree<Row>,
    number: Int = 1
  ) -> Int {
    var rule = TableRule(before)
    let isKept = rule.check(
      RowNotification(change: change, index: index, row: row, rows: after, number: number, generation: 1))
    #expect(isKept == (rule.violations == 0))
    return rule.violations
  }

  @Test("each wrong number, index, row and count is a violation")
  func wrongNotifications() {
    let (one, two) = (rows("a"), rows("a", "b"))
    #expect(violations(one, .inserted, at: 1, two[1], after: two) == 0)
    #expect(violations(two, .removed, at: 1, two[1], after: one) == 0)
    #expect(violations(rows("b"), .modified, at: 0, one[0], after: one) == 0)
    #expect(violations(one, .inserted, at: 1, two[1], after: two, number: 2) == 1)
    #expect(violations(one, .inserted, at: 2, two[1], after: two) == 1)
    #expect(violations(one, .inserted, at: 0, two[1], after: two) == 1)
    #expect(violations(one, .inserted, at: 1, two[1], after: one) == 1)
    #expect(violations(two, .removed, at: 2, two[1], after: one) == 1)
    #expect(violations(two, .removed, at: 0, two[1], after: one) == 1)
    #expect(violations(two, .removed, at: 1, two[1], after: two) == 1)
    #expect(violations(two, .modified, at: 0, two[1], after: two) == 1)
    #expect(violations(two, .modified, at: 2, two[1], after: two) == 1)
    #expect(violations(two, .modified, at: 1, two[1], after: one) == 1)
  }
}
