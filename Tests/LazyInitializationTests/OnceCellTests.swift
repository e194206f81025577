import LazyInitialization
import TestSupport
import Testing

@Suite struct OnceCellTests {
  @Test func itIsEmptyAtFirst() {
    let cell = OnceCell<Tracked>()
    let isComplete = cell.isComplete
    let value = cell.value
    let used = cell.withValue { $0 }
    #expect(!isComplete)
    #expect(value == nil)
    #expect(used == nil)
  }

  @Test func itIsSetOnce() {
    let cell = OnceCell<String>()
    let first = cell.set("first")
    let second = cell.set("second")
    let value = cell.value
    let isComplete = cell.isComplete
    #expect(first == nil)
    #expect(second == "second")
    #expect(value == "first")
    #expect(isComplete)
  }

  @Test func itCanBeMadeFull() {
    let cell = OnceCell(7)
    let value = cell.value(orInitialize: { 8 })
    let rejected = cell.set(9)
    #expect(value == 7)
    #expect(rejected == 9)
  }

  @Test func aNoncopyableValueThatIsNotStoredIsReturned() {
    let lifetimes = Lifetimes()
    do {
      let cell = OnceCell(TrackedToken(lifetimes, number: 1))
      let number: Int?
      switch cell.set(TrackedToken(lifetimes, number: 2)) {
      case .some(let token): number = token.number
      case nil: number = nil
      }
      #expect(number == 2)
      #expect(lifetimes.alive == 1)
    }
    #expect(lifetimes.made == 2)
    #expect(lifetimes.alive == 0)
  }

  /// A cell of a value that is not `Sendable` is not `Sendable` either, and works on one thread.
  @Test func aValueThatIsNotSendableIsUsedOnItsOwnThread() {
    final class Log {
      var lines: [String] = []
    }
    let cell = OnceCell<Log>()
    cell.withValue(orInitialize: Log.init) { $0.lines.append("one") }
    let count = cell.withValue { $0.lines.count }
    #expect(count == 1)
  }
}
