import AtomicProperties
import Snapshots
import TestSupport
import Testing
import ViewModels

/// Tests what happens while the main actor makes no room: at most `backlogLimit` edits wait, and none is lost.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct BacklogTests {
  private func model(
    _ strategy: Strategy, limit: Int, workers: Int = 0
  ) -> (RowsViewModel, RecordingObserver) {
    let model = RowsViewModel(
      .testing(strategy) {
        $0.backlogLimit = limit
        $0.speed = .infinity
      })
    let observer = RecordingObserver(model)
    observer.keepsNotifications = workers == 0
    if workers > 0 { model.restart(workers: workers) }
    return (model, observer)
  }

  @Test("an edit beyond the backlog is refused, and changes nothing", arguments: Strategy.allCases)
  func refused(strategy: Strategy) {
    let (model, observer) = model(strategy, limit: 3)
    let results = (0..<5).map { model.apply(.insert("\($0)", at: .index(0))) }
    #expect(results == [.accepted, .accepted, .accepted, .noRoom, .noRoom])
    if let published = model.publishedRows { #expect(published.current.texts == ["2", "1", "0"]) }
    model.deliverPending()
    #expect(model.rows.texts == ["2", "1", "0"])
    #expect(model.apply(.insert("3", at: .index(0))) == .accepted)
    model.deliverPending()
    #expect(observer.notifications.map(\.number) == [1, 2, 3, 4] && observer.isContent)
  }

  @Test("threads and tasks that wait for room lose no edit", arguments: Strategy.allCases, 1...2)
  func editorsWait(strategy: Strategy, limit: Int) async {
    let (model, observer) = model(strategy, limit: limit)
    await withTaskGroup(of: Void.self) { group in
      for editor in 0..<2 {
        let edits = (0..<100).map { RowEdit.insert("\(editor) \($0)", at: .index(0)) }
        group.addTask {
          await onAThread { for edit in edits { #expect(model.applyWaiting(edit) == .accepted) } }
        }
        group.addTask {
          for edit in edits { #expect(await model.applyWaiting(edit) == .accepted) }
        }
      }
    }
    await observer.waitForNotifications(400)
    #expect(model.rows.count == 400 && Set(model.rows.texts).count == 200 && observer.isContent)
    #expect(Set(model.rows.map(\.id)).count == 400 && observer.rule.rows == model.rows)
  }

  @Test("a cancelled task stops waiting for room", arguments: Strategy.allCases)
  func cancelledTask(strategy: Strategy) {
    let (model, observer) = model(strategy, limit: 1)
    model.apply(.insert("fills", at: .index(0)))
    let outcome = AtomicProperty<RowEditResult?>(nil)
    let isOver = Signal()
    let task = Task.detached {
      outcome.value = await model.applyWaiting(.insert("late", at: .index(0)))
      isOver.send()
    }
    task.cancel()
    // Blocks the main actor, which therefore makes no room.
    isOver.wait()
    #expect(outcome.value == .noRoom)
    model.deliverPending()
    #expect(model.rows.texts == ["fills"] && observer.isContent)
  }

  @Test("a restart ends the waits of workers and other threads", arguments: Strategy.allCases)
  func restartEndsWaits(strategy: Strategy) async {
    let (model, _) = model(strategy, limit: 1, workers: 8)
    let outcome = AtomicProperty<RowEditResult?>(nil)
    let thread = PlatformThread {
      // Not delivered: the test holds the main actor. So some edit finds no room, and waits for the restart.
      var result = RowEditResult.accepted
      while result == .accepted { result = model.applyWaiting(.insert("a", at: .index(0))) }
      outcome.value = result
    }
    while model.apply(.insert("b", at: .index(0))) != .noRoom {}
    model.restart(workers: 0)
    #expect(model.workerCount == 0 && model.rows.isEmpty)
    // If the thread had not begun before the restart, it fills the new generation, and this one ends its wait.
    while outcome.value == nil {
      model.restart(workers: 0)
      await Task.yield()
    }
    thread.join()
    #expect(outcome.value == .ended)
  }

  @Test("workers that wait for room stop, and what they posted is delivered", arguments: Strategy.allCases)
  func stopEndsWaits(strategy: Strategy) async {
    let (model, observer) = model(strategy, limit: 1, workers: 8)
    while model.apply(.insert("b", at: .index(0))) != .noRoom {}
    await model.stop()
    #expect(model.workerCount == 0 && observer.count > 0 && observer.isContent)
    if let published = model.publishedRows { #expect(published.current == model.rows) }
    // The list goes on with the same rows.
    let count = observer.count
    model.start(workers: 1)
    await observer.waitForNotifications(count + 10)
    await model.stop()
    #expect(observer.isContent)
  }

  @Test("stopped in a cancelled task, the workers are joined all the same")
  func stopInACancelledTask() async {
    let (model, observer) = model(.snapshots, limit: 1_024, workers: 4)
    await Task { @MainActor in
      withUnsafeCurrentTask { $0?.cancel() }
      await model.stop()
      #expect(model.publishedRows?.current == model.rows)
    }.value
    #expect(observer.isContent)
  }
}
