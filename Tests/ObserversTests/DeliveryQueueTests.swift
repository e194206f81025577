import Observers
import Testing

@Suite struct DeliveryQueueTests {
  /// Compares a queue with a simple model of it, after every sequence of up to six operations.
  @Test("a queue keeps the order, and either elements or one receiver")
  func everySequence() {
    enum Step: CaseIterable { case post, combine, receive, takeAll, end }
    var sequences: [[Step]] = [[]]
    var all = sequences
    for _ in 0..<6 {
      sequences = sequences.flatMap { sequence in Step.allCases.map { sequence + [$0] } }
      all += sequences
    }
    for sequence in all {
      var queue = DeliveryQueue<[Int], Int>()
      var (elements, receiver, hasEnded) = ([[Int]](), Int?.none, false)
      for (number, step) in sequence.enumerated() {
        switch step {
        case .post:
          queue.append([number])
          if !hasEnded { elements.append([number]) }
          #expect(queue.takeReceiver() == receiver)
          receiver = nil
        case .combine:
          #expect(queue.withNewest { $0.append(number) } == !elements.isEmpty)
          if let last = elements.indices.last { elements[last].append(number) }
        case .receive:
          switch queue.receive(with: number) {
          case .element(let element): #expect(!elements.isEmpty && element == elements.removeFirst())
          case .ended: #expect(elements.isEmpty && hasEnded)
          case .refused: #expect(receiver != nil)
          case .waits:
            #expect(elements.isEmpty && !hasEnded && receiver == nil)
            receiver = number
          }
        case .takeAll:
          var taken: [[Int]] = []
          queue.removeAll(into: &taken)
          #expect(taken == elements)
          elements = []
        case .end:
          #expect(queue.end() == receiver)
          (receiver, hasEnded) = (nil, true)
        }
        #expect(queue.count == elements.count)
        #expect(queue.hasEnded == hasEnded)
      }
    }
  }

  @Test func theFirstPostOfABurstWakesTheReceiver() {
    var queue = DeliveryQueue<Int, Void>(waking: ())
    var burst: [Int] = []
    for _ in 0..<2 {
      queue.append(1)
      #expect(queue.takeReceiver() != nil)
      queue.append(2)
      #expect(queue.takeReceiver() == nil)
      queue.removeAll(into: &burst)
      #expect(burst == [1, 2])
      burst = []
      queue.leave(())
    }
  }
}
