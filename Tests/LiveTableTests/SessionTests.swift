@testable import LiveTables
internal import TestSupport
internal import Testing
internal import ViewModels

@MainActor
@Suite("Sessions")
struct SessionTests {
  private func session(
    _ strategy: RowsStrategy, bug: Options.Bug = .none, speed: Double = 1_000_000
  ) -> Session {
    var settings = SessionSettings(seed: 1, initialRows: ["row-0", "row-1"])
    settings.strategy = strategy
    settings.bug = bug
    settings.speed = speed
    return Session(settings)
  }

  /// Waits until at least 20 edits are queued for the main actor; traps after `Watchdog.limit`.
  ///
  /// The main actor takes no edit from the queue during this call, because it runs this function.
  private func waitForEdits(_ session: Session) {
    let deadline = Watchdog.time + Watchdog.limit
    while session.figures.queued < 20 {
      precondition(Watchdog.time < deadline, "nobody edits")
      PlatformThread.yield()
    }
  }

  @Test("Edits that wait when the run ends are delivered, and counted", arguments: RowsStrategy.allCases)
  func waitingAtEnd(strategy: RowsStrategy) {
    let session = session(strategy)
    session.restart(workers: 4)
    waitForEdits(session)
    let audit = session.end()
    #expect(audit.checks.filter { !$0.holds }.isEmpty)
    #expect(audit.generations.count == 1)
    #expect(audit.generations[0].delivered > 0)
    #expect(audit.generations[0].dropped == 0)
    #expect(audit.mostQueued >= 20)
  }

  @Test(
    "Edits that wait when the model is started again are dropped, and counted",
    arguments: RowsStrategy.allCases)
  func waitingAtRestart(strategy: RowsStrategy) {
    let session = session(strategy)
    #expect(session.restart(workers: 4) == 1)
    waitForEdits(session)
    #expect(session.restart(workers: 0) == 2)
    #expect(session.figures.rows == 2)
    #expect(session.apply(.insert("one more", .index(1))))
    #expect(!session.apply(.remove(.index(3))))
    let audit = session.end()
    #expect(audit.checks.filter { !$0.holds }.isEmpty)
    #expect(audit.generations.map(\.number) == [1, 2])
    #expect(audit.generations.map(\.workers) == [4, 0])
    // With the strategy `mainActor`, an edit is only a command in a queue until the main actor makes it.
    // Commands that a restart drops don't count as dropped edits.
    #expect((audit.generations[0].dropped > 0) == (strategy != .mainActor))
    #expect(audit.generations[0].delivered == 0)
    #expect(audit.generations[1] == .init(number: 2, workers: 0, posted: 1, delivered: 1, dropped: 0))
  }

  @Test("Both bugs are found without workers and at once", arguments: [Options.Bug.pull, .unlockFirst])
  func bugs(bug: Options.Bug) {
    let session = session(.tree, bug: bug)
    session.restart(workers: 0)
    let audit = session.end()
    #expect(!audit.isClean)
    #expect(audit.violations > 0)
    #expect((audit.sequenceGaps > 0) == (bug == .unlockFirst))
    #expect(audit.remains == .init())
  }

  @Test("The screen has the rows at the window, with their marks")
  func screen() {
    let session = session(.tree)
    session.restart(workers: 0)
    #expect(session.apply(.insert("new", .index(1))))
    #expect(session.apply(.append("-3", .index(2))))
    session.deliver()
    var controls = Controls()
    let all = session.screen(&controls, page: 10).table
    #expect(all.rows.map(\.text) == ["row-0", "new", "row-1-3"])
    #expect(all.rows.map(\.mark) == [nil, .inserted, .modified])
    #expect(all.rows.map(\.isLatest) == [false, false, true])
    _ = controls.press(.end, page: 2)
    let last = session.screen(&controls, page: 2).table
    #expect(last.start == 1)
    #expect(last.count == 3)
    #expect(last.rows.map(\.text) == ["new", "row-1-3"])
    #expect(session.screen(&controls, page: 0).table.rows.isEmpty)
    #expect(session.end().isClean)
  }
}
