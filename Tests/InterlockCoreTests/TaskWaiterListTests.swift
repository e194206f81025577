import InterlockCore
@testable import InterlockTasks
@testable import InterlockWaits
import TestSupport
import Testing

/// Tests the list as a data structure, without tasks.
@Suite struct TaskWaiterListTests {
  /// The list in an object, because an expectation can't take a noncopyable value.
  private final class Box {
    var list = TaskWaiterList()

    func append(_ waiter: TaskWaiter) { list.append(waiter) }
    func prepend(_ waiter: TaskWaiter) { list.prepend(waiter) }
    func removeFirst() -> TaskWaiter? { list.removeFirst() }
    func remove(_ waiter: TaskWaiter) -> Bool { list.remove(waiter) }
    func insertByPriority(_ waiter: TaskWaiter) { list.insertByPriority(waiter) }
    func raise(_ waiter: TaskWaiter, to priority: UInt8, reordering: Bool) -> Bool {
      list.raise(waiter, to: priority, reordering: reordering)
    }
    func highestPriority() -> UInt8 { list.highestPriority() }
    var isEmpty: Bool { list.isEmpty }
    var count: Int { list.count }
  }

  @Test func aWaiterIsRemovedOnce() {
    let list = Box()
    let waiter = TaskWaiter()
    #expect(!list.remove(waiter))
    list.append(waiter)
    #expect(list.remove(waiter))
    #expect(!list.remove(waiter))
    #expect(list.isEmpty)
  }

  /// Compares the list with an array, while waiters are removed at random positions and join again at either
  /// end.
  @Test func theListKeepsTheOrderOfAnArray() {
    var random = Seed.current.generator(stream: 0)
    let list = Box()
    var model: [TaskWaiter] = []
    var left: [TaskWaiter] = []
    for _ in 0..<2_000 {
      switch random.next() % 4 {
      case 0:
        let waiter = left.popLast() ?? TaskWaiter()
        list.append(waiter)
        model.append(waiter)
      case 1:
        let waiter = left.popLast() ?? TaskWaiter()
        list.prepend(waiter)
        model.insert(waiter, at: 0)
      case 2:
        let first = model.isEmpty ? nil : model.removeFirst()
        #expect(list.removeFirst() === first)
        if let first { left.append(first) }
      default:
        guard !model.isEmpty else { continue }
        let waiter = model.remove(at: Int(random.next() % UInt64(model.count)))
        #expect(list.remove(waiter))
        left.append(waiter)
      }
      #expect(list.count == model.count, "\(Seed.current)")
    }
    for waiter in model { #expect(list.removeFirst() === waiter) }
    #expect(list.isEmpty)
  }

  // MARK: Priorities

  @Test func aWaiterIsOvertakenABoundedNumberOfTimes() {
    let list = Box()
    let low = TaskWaiter(priority: 1)
    list.insertByPriority(low)
    let high = (0..<100).map { _ in TaskWaiter(priority: 2) }
    for waiter in high { list.insertByPriority(waiter) }
    for waiter in high.prefix(64) { #expect(list.removeFirst() === waiter) }
    #expect(list.removeFirst() === low)
    for waiter in high.dropFirst(64) { #expect(list.removeFirst() === waiter) }
    #expect(list.highestPriority() == 0)
  }

  @Test func aWaiterWhosePriorityDoesNotRiseStays() {
    let list = Box()
    let waiter = TaskWaiter(priority: 2)
    #expect(!list.raise(waiter, to: 3, reordering: true))
    #expect(waiter.priority == 2)
    list.append(waiter)
    #expect(!list.raise(waiter, to: 2, reordering: true))
    #expect(list.raise(waiter, to: 3, reordering: false))
    #expect(list.highestPriority() == 3)
  }

  /// Compares the list with an array, while waiters come, go and are raised.
  @Test func theListKeepsAnOrderByPriority() {
    var random = Seed.current.generator(stream: 1)
    let list = Box()
    var model: [TaskWaiter] = []
    /// Moves the waiter at an index forward, as the documentation of the list says.
    func moveForward(from start: Int) {
      var index = start
      while index > 0, model[index - 1].priority < model[index].priority, overtakings[model[index - 1]] < 64 {
        overtakings[model[index - 1]] += 1
        model.swapAt(index - 1, index)
        index -= 1
      }
    }
    var overtakings = Counts()
    for _ in 0..<4_000 {
      // Longer and longer lists, so that some waiters are overtaken as often as they can be.
      switch random.next() % 8 {
      case 0...3:
        let waiter = TaskWaiter(priority: UInt8(random.next() % 6))
        // Another waiter may have been at its address.
        overtakings[waiter] = 0
        list.insertByPriority(waiter)
        model.append(waiter)
        moveForward(from: model.count - 1)
      case 4:
        guard !model.isEmpty else { continue }
        #expect(list.removeFirst() === model.removeFirst())
      case 5:
        guard !model.isEmpty else { continue }
        #expect(list.remove(model.remove(at: Int(random.next() % UInt64(model.count)))))
      case 6:
        guard !model.isEmpty else { continue }
        let index = Int(random.next() % UInt64(model.count))
        let priority = UInt8(random.next() % 8)
        let isRaised = priority > model[index].priority
        #expect(list.raise(model[index], to: priority, reordering: true) == isRaised)
        if isRaised { moveForward(from: index) }
      default:
        #expect(list.highestPriority() == model.map(\.priority).max() ?? 0, "\(Seed.current)")
      }
    }
    #expect(list.count == model.count)
    for waiter in model { #expect(list.removeFirst() === waiter, "\(Seed.current)") }
  }

  private struct Counts {
    private var counts: [ObjectIdentifier: Int] = [:]

    subscript(waiter: TaskWaiter) -> Int {
      get { counts[ObjectIdentifier(waiter), default: 0] }
      set { counts[ObjectIdentifier(waiter)] = newValue }
    }
  }
}
