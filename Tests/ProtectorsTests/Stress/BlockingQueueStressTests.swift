import Protectors
import TestSupport
import Testing

@Suite(.serialized) struct BlockingQueueStressTests {
  /// No element may be lost or popped twice, even if a consumer closes the queue at a random point.
  ///
  /// Four producers and four consumers use the queue.
  @Test func nothingIsLostOrDoubled() {
    let elements = StressSize.pick(quick: 20_000, full: 1_000_000)
    var random = Seed.current.generator(stream: 100)
    for round in 0..<4 {
      // In the first round no consumer closes the queue, so every element must be popped.
      let closing = round == 0 ? Int.max : Int.random(in: 0..<elements, using: &random)
      let queue = BlockingQueue<Int>(capacity: Int.random(in: 1...64, using: &random))
      let share = elements / 4
      let came = RelaxedCounter()
      // All producers count from the start: one may end before another one has begun.
      let open = RelaxedCounter()
      open.add(4)
      // Each producer returns the elements that it pushed, and each consumer those that it popped, in order.
      let lists = race(threads: 8) { index -> [Int] in
        var list: [Int] = []
        if index < 4 {
          for number in 0..<share {
            let element = index * share + number
            guard queue.push(element) else { break }
            list.append(element)
          }
          if open.add(-1) == 0 { queue.close() }
        } else {
          var random = Seed.current.generator(stream: index)
          loop: while true {
            // Some calls of `pop` have a timeout of less than 20 µs, which often expires.
            let timeout =
              random.happens(percent: 10) ? Duration.nanoseconds(Int(random.next() % 20_000)) : nil
            switch queue.pop(timeout: timeout) {
            case .element(let element): list.append(element)
            case .closed: break loop
            case .timedOut: continue
            }
            if came.add(1) == closing { queue.close() }
          }
        }
        return list
      }
      let pushed = lists.prefix(4).flatMap { $0 }.sorted()
      let popped = lists.dropFirst(4).flatMap { $0 }.sorted()
      #expect(pushed == popped, "\(Seed.current)")
      #expect(round > 0 || popped.count == share * 4)
      // Each consumer must get the elements of any one producer in the order in which they were pushed.
      let isInOrder = lists.dropFirst(4).allSatisfy { list in
        (0..<4).allSatisfy { producer in
          let own = list.filter { $0 / share == producer }
          return zip(own, own.dropFirst()).allSatisfy { $0 < $1 }
        }
      }
      #expect(isInOrder)
    }
  }
}
