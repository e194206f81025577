#if Exploration
  import Exploration
  import Protectors
  import Testing

  /// Explores the bounded queue of the article `Exploration.md`.
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
    }

    @Test func elementsLeaveInTheirOrder() throws {
      let summary = try explore(.exhaustive(preemptions: 1)) { run in
        let queue = BoundedQueue<Int>(capacity: 1)
        let producer = run.thread {
          queue.push(1)
          queue.push(2)
        }
        let consumer = run.thread { [queue.pop(), queue.pop()] }
        producer.join()
        run.expect(consumer.join() == [1, 2], "elements leave in their order")
      }
      #expect(summary.isExhaustive)
    }
  }
#endif
