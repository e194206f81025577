#if Exploration
  import Exploration
  import Protectors
  import Testing

  /// Explores the bounded queue of the article `Exploration.md`, and a variant of it with a mistake.
  @Suite struct BoundedQueueTests {
    final class BoundedQueue<Element: Sendable>: Sendable {
      private let capacity: Int
      private let elements = ExclusiveProtector<[Element]>([])

      init(capacity: Int) { self.capacity = capacity }

      func push(_ element: Element) {
        elements.withLock(waitingUntil: { [capacity] in $0.count < capacity }) { $0.append(element) }
      }

      func pop() -> Element {
        elements.withLock(waitingUntil: { !$0.isEmpty }) { $0.removeFirst() }
      }

      /// Removes an element, with a mistake: it checks for an element in one critical section, and removes it
      /// in another.
      func popInTwoSections() -> Element? {
        guard elements.withLock({ !$0.isEmpty }) else { return nil }
        return elements.withLock { $0.isEmpty ? nil : $0.removeFirst() }
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
          // The queue has one element and two threads pop, so exactly one pop must return the element.
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
