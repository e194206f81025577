@testable import LiveTables
internal import TestSupport
internal import Testing
internal import ViewModels

/// Tests that deliberately wrong models break the table rule: the rows in a notification must be the earlier
/// rows with the one change applied.
@MainActor
@Suite("Wrong models")
struct WrongModelTests {
  @Test("Unlocking before notifying lets another edit overtake")
  func unlockFirstIsOvertaken() {
    let overtaken = Signal()
    let isUnlocked = Signal()
    var configuration = RowsConfiguration()
    configuration.audits = true
    configuration.initialRows = ["a"]
    // This model enqueues a notification only after it has released the lock. The thread of the first edit
    // blocks in between until the second edit has ended, so the second notification is enqueued first.
    let model = RowsViewModel(configuration) {
      UnlockFirstRowsEngine($0) { sequence in
        guard sequence == 1 else { return }
        isUnlocked.send()
        overtaken.wait()
      }
    }
    let table = Table(model.rows, recorder: nil)
    model.observer = table
    concurrently(
      { model.apply(.insert("b", .index(0))) },
      {
        isUnlocked.wait()
        model.apply(.remove(.index(1)))
        overtaken.send()
      })
    model.deliverPending()
    let audit = model.audit()
    #expect(audit.statistics.violations == 1)
    #expect(audit.statistics.sequenceGaps == 2)
    #expect(audit.complaints.contains("the table rule was broken 1 times"))
    #expect(audit.complaints.contains("2 gaps in the numbers of edits"))
    #expect(table.mirror.violations == 1)
    #expect(table.mirror.sequenceGaps == 2)
  }

  @Test("Reading the model's rows in a callback shows later edits", arguments: [false, true])
  func pullingIsWrong(pulls: Bool) {
    let model = RowsViewModel(RowsConfiguration())
    let table = Table(model.rows, recorder: nil, pullingFrom: pulls ? model : nil)
    model.observer = table
    onAnotherThread {
      model.apply(.insert("a", .index(0)))
      model.apply(.insert("b", .index(0)))
    }
    model.deliverPending()
    #expect(table.mirror.violations == (pulls ? 2 : 0))
    #expect(table.mirror.sequenceGaps == 0)
  }
}
