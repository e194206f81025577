import Dispatch
import EventSources
import Lifecycles
import TestSupport
import Testing

@Suite(.serialized) struct ActivatedSourceStressTests {
  /// The test runs in a process of its own, where no other code opens and closes descriptors.
  ///
  /// So only the sources can cause a trap or leave a descriptor open.
  @Test("sources cancelled at random: each cancel handler runs once, and no descriptor stays open")
  func cancelledAtRandom() async {
    await #expect(processExitsWith: .success) {
      // Warms libdispatch up: in its first run it opens descriptors of its own and keeps them open. The count
      // `before` must include these descriptors, otherwise the test would take them for leaks.
      _ = PipeSources.run(count: 10, threads: 2)
      let before = Pipe.openCount
      let count = StressSize.pick(quick: 1_000, full: 50_000)
      var events = 0
      // The run is repeated until some events have come. On a busy machine all sources may be cancelled before
      // their first event.
      repeat {
        let report = PipeSources.run(count: count, threads: 6)
        let isRight =
          report.made == count && report.cancelled == count && report.wrongCancels == 0
          && report.lateEvents == 0 && report.leaked == 0
        precondition(isRight, "\(report) \(Seed.current)")
        events += report.events
      } while events == 0
      let after = Pipe.openCount
      precondition(after == before, "\(before) descriptors were open, and \(after) are now")
    }
  }

  @Test("data that was added before an invalidation is delivered, each number once")
  func dataIsDeliveredOnce() {
    let rounds = StressSize.pick(quick: 20_000, full: 2_000_000)
    let queue = DispatchQueue(label: "sums")
    // This variable needs no lock: handlers run one at a time on a serial queue, and the test reads the sum
    // after the invalidation.
    let sum = Unguarded<UInt>(0)
    let reached = Signal()
    let all = UInt(4 * rounds)
    var setup = Setup<ActivatedSource<AddedData>>(.adding(on: queue))
    setup.configuration.onEvent = { event in
      sum.value += event.sum
      if sum.value >= all { reached.send() }
    }
    let activation = setup.activate()
    let source = activation.object
    race(threads: 4) { _ in
      for _ in 0..<rounds { source.add(1) }
      reached.wait()
    }
    activation.invalidate()
    #expect(sum.value == all)
  }

  @Test("sequences end, whoever ends them")
  func sequencesEnd() async {
    let rounds = StressSize.pick(quick: 300, full: 20_000)
    let queue = DispatchQueue(label: "events", attributes: .concurrent)
    var random = Seed.current.generator(stream: 0)
    for _ in 0..<rounds {
      let cancelled = Signal()
      var setup = Setup<ActivatedSource<AddedData>>(.adding(on: queue))
      setup.configuration.onCancel = { cancelled.send() }
      let events = setup.configuration.makeEvents()
      let consumer = Task {
        var sum: UInt = 0
        for await event in events { sum += event.sum }
        return sum
      }
      let activation = setup.activate()
      let source = activation.object
      let additions = Int(random.next() % 20)
      let cancelsConsumer = random.happens(percent: 50)
      let feeder = Task { for _ in 0..<additions { source.add(1) } }
      if random.happens(percent: 50) { await Task.yield() }
      if cancelsConsumer { consumer.cancel() } else { await source.invalidate() }
      let sum = await consumer.value
      await feeder.value
      await activation.invalidate()
      #expect(sum <= UInt(additions))
      cancelled.wait()
    }
  }
}
