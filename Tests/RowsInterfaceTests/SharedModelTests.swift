import CRows
import Testing
import ViewModels

@testable import RowsInterface

@MainActor
@Suite("Shared model")
struct SharedModelTests {
  @Test("A model that was destroyed gets no observer, although a snapshot or a callback may keep it alive")
  func destroyed() {
    let shared = SharedModel(RowsViewModel())
    shared.destroy()
    let observation = shared.observe(ObserverFunctions(table: interlock_rows_observer()))
    guard case .destroyed = observation else {
      Issue.record("the model has an observer")
      return
    }
    #expect(shared.model.observer == nil)
  }
}
