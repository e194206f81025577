import TestSupport
import Testing
import ViewModels

/// Tests that a row moves from one list to another in one step.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct MovedRowsTests {
  private func model(_ rows: [String], _ change: (inout RowsConfiguration) -> Void = { _ in })
    -> RowsViewModel
  {
    RowsViewModel(
      .testing {
        $0.initialRows = rows
        change(&$0)
      })
  }

  @Test("a moved row is removed here and inserted there, and both observers are notified")
  func moved() {
    let (first, second) = (model(["a", "b", "c"]), model(["d"]))
    let (observer, otherObserver) = (RecordingObserver(first), RecordingObserver(second))
    #expect(first.move(.index(1), to: second, at: .index(0)))
    first.deliverPending()
    second.deliverPending()
    #expect(first.rows.texts == ["a", "c"] && second.rows.texts == ["b", "d"])
    #expect(observer.notifications.map(\.change) == [.removed])
    #expect(otherObserver.notifications.map(\.change) == [.inserted])
    #expect(observer.isContent && otherObserver.isContent)
    #expect(first.audit().complaints == [] && second.audit().complaints == [])
  }

  @Test("nothing moves from or to a place that does not exist, to the same list, or behind another lock")
  func refused() {
    let (first, second) = (model(["a"]), model([]))
    #expect(!first.move(.index(1), to: second, at: .index(0)))
    #expect(!first.move(.index(0), to: second, at: .index(1)))
    #expect(!second.move(.share(0), to: first, at: .index(0)))
    #expect(!first.move(.index(0), to: first, at: .index(0)))
    for change: (inout RowsConfiguration) -> Void in [
      { $0.lock = .compact }, { $0.strategy = .array }, { $0.strategy = .mainActor },
    ] {
      let other = model([], change)
      #expect(!other.canMoveRows && !first.move(.index(0), to: other, at: .index(0)))
    }
    #expect(first.latestRows.texts == ["a"] && second.latestRows.isEmpty)
  }

  @Test("threads that move rows both ways neither block one another for ever nor lose a row")
  func bothWays() {
    let texts = (0..<100).map(String.init)
    let (first, second) = (model(texts) { $0.strategy = .delta }, model([]))
    race(threads: 4) { thread in
      for step in 0..<500 {
        let (source, target) = thread.isMultiple(of: 2) ? (first, second) : (second, first)
        source.move(.share(UInt64(step) << 55), to: target, at: .share(.max))
      }
    }
    first.deliverPending()
    second.deliverPending()
    #expect(Set(first.rows.texts + second.rows.texts) == Set(texts))
    #expect(first.rows.count + second.rows.count == 100)
    #expect(first.audit().complaints == [] && second.audit().complaints == [])
  }

  @Test(
    "every lock keeps the promises of the list", arguments: RowsLock.allCases,
    [RowsStrategy.array, .tree, .delta])
  func locks(lock: RowsLock, strategy: RowsStrategy) {
    let model = model(["a"]) {
      $0.lock = lock
      $0.strategy = strategy
    }
    let observer = RecordingObserver(model)
    race(threads: 4) { thread in
      for step in 0..<100 { model.apply(.insert("\(thread) \(step)", .share(UInt64(step) << 57))) }
    }
    model.deliverPending()
    #expect(model.rows.count == 401 && model.rows == model.latestRows)
    #expect(observer.isContent && model.audit().complaints == [])
  }
}
