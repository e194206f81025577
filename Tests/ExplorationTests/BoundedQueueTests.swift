#if Exploration
  import Exploration
  import Protectors
  import Testing

  /// Explores the bounded queue of the article `Exploration.md`, and a variant of it with a mistake.
  @Suite struct BoundedQueueTests {
    final class BoundedQueue<Element: Sendable>: Sendable {
      /// The elements by their numbers.
      private struct State: Sendable {
        var elements: [Int: Element] = [:]
        var pushed = 0
        var popped = 0
      }

      private let capacity: Int
      private let state = ExclusiveProtector(State())

      init(capacity: Int) { self.capacity = capacity }

      func push(_ element: Element) {
        state.withLock(waitingUntil: { [capacity] in $0.elements.count < capacity }) { state in
          state.elements[state.pushed] = element
          state.pushed += 1
        }
      }

      func pop() -> Element {
        state.withLock(waitingUntil: { !$0.elements.isEmpty }) { state in
          defer { state.popped += 1 }
          return state.elements.removeValue(forKey: state.popped)!
        }
      }

      /// Removes an element, with a mistake: it checks for an element in one critical section, and removes it
      /// in another.
      func popInTwoSections() -> Element? {
        guard state.withLock({ !$0.elements.isEmpty }) else { return nil }
        return state.withLock { state in
          let element = state.elements.removeValue(forKey: state.popped)
          if element != nil { state.popped += 1 }
          return element
        }
      }
    }

    @Test func elementsLeaveInTheirOrder() throws {
      let summary = try explore(
        .exhaustive(preemptions: 2), limits: ExplorationLimits(duration: .seconds(20))
      ) {
        run in
        let queue = BoundedQueue<Int>(capacity: 1)
        let producer = run.thread {
          queue.push(1)
          queue.push(2)
        }
        let consumer = run.thread { [queue.pop(), queue.pop()] }
        producer.join()
        run.expect(consumer.join() == [1, 2], "elements leave in their order")
      }
      print("explored a bounded queue: \(summary)")
    }

    @Test func anElementIsTakenBetweenTwoSections() throws {
      let failure = try #require(throws: ExplorationFailure.self) {
        try explore(limits: ExplorationLimits(namesLines: false)) { run in
          let queue = BoundedQueue<Int>(capacity: 2)
          queue.push(1)
          let other = run.thread { queue.popInTwoSections() }
          let mine = queue.popInTwoSections()
          let others = other.join()
          // One thread gets the only element. The other thread gets nothing, even if it has seen the element.
          run.expect((mine ?? 0) + (others ?? 0) == 1)
          queue.push(2)
          run.expect(mine == nil || others == nil)
          run.expect(mine != nil, "the first to look gets the element")
        }
      }
      #expect(failure.reason == "Expectation: the first to look gets the element.")
    }
  }
#endif
