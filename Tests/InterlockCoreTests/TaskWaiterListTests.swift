import InterlockCore
import InterlockWaits
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
}
