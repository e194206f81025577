import Jobs
import Protectors
import TestSupport
import Testing

@Suite(.serialized) struct AsyncQueueStressTests {
  private struct Failure: Error, Equatable {
    let number: Int
  }

  /// Threads add ten thousand items, of which some throw and some are cancelled at any moment; each runs once or
  /// is dropped, and never more at a time than the queue permits.
  @Test(arguments: [1, 3]) func eachItemRunsOnceOrIsDropped(limit: Int) async {
    let count = StressSize.pick(quick: 10_000, full: 100_000)
    let queue = AsyncQueue(maxConcurrentItems: limit, maxWaitingItems: 1_000)
    let lifetimes = Lifetimes()
    let inside = RelaxedCounter()
    let begun = RelaxedCounter()
    let faults = RelaxedCounter()
    let items = await onAThread {
      // The threads wait for tasks, which other tests may hold up.
      race(threads: 4, limit: Watchdog.limit * 5) {
        thread -> [(number: Int, item: AsyncQueue.Item<Int>)] in
        var random = Seed.current.generator(stream: thread)
        var items: [(number: Int, item: AsyncQueue.Item<Int>)] = []
        for number in 0..<count / 4 {
          let object = Tracked(lifetimes, number: number)
          let yields = random.happens(percent: 20)
          let item = queue.addWaitingForRoom { () async throws(Failure) -> Int in
            begun.add(1)
            if inside.add(1) > limit { faults.add(1) }
            if yields { await Task.yield() }
            inside.add(-1)
            if object.number % 5 == 0 { throw Failure(number: object.number) }
            return object.number
          }
          if let item { items.append((number, item)) } else { faults.add(1) }
          if random.happens(percent: 10), let last = items.randomElement(using: &random) {
            last.item.cancel()
          }
        }
        return items
      }
    }
    await queue.finish()
    var ran = 0
    for (number, item) in items.joined() {
      do {
        let value = try await item.value
        if value != number || number % 5 == 0 { faults.add(1) }
      } catch is CancellationError {
        continue
      } catch {
        if error as? Failure != Failure(number: number) || number % 5 != 0 { faults.add(1) }
      }
      ran += 1
    }
    #expect(items.joined().count == count)
    #expect(ran == begun.value)
    #expect(faults.value == 0, "\(Seed.current)")
    #expect(lifetimes.alive == 0)
  }

  /// A queue is cancelled while threads add items: what it says it has dropped is dropped, and all else has run.
  @Test func whatIsDroppedIsCounted() async {
    let rounds = StressSize.pick(quick: 200, full: 5_000)
    for round in 0..<rounds {
      let queue = AsyncQueue(maxConcurrentItems: 1 + round % 3)
      let begun = RelaxedCounter()
      let (items, dropped) = await onAThread {
        let results = race(threads: 3) { thread -> (items: [AsyncQueue.Item<Int>], dropped: Int) in
          if thread == 0 { return ([], queue.cancel()) }
          return ((0..<10).compactMap { _ in queue.add { begun.add(1) } }, 0)
        }
        return (results.flatMap(\.items), results.map(\.dropped).reduce(0, +))
      }
      await queue.finish()
      var missing = 0
      for item in items {
        if await ending({ try await item.value }) == .cancelled { missing += 1 }
      }
      #expect(missing == dropped)
      #expect(begun.value == items.count - dropped)
    }
  }
}
