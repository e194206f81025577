import Dispatch
import Protectors
import TestSupport
import Testing

@testable import EventSources
@testable import Lifecycles

@Suite struct SourceEventsTests {
  private let queue = DispatchQueue(label: "events")

  @Test("the times of timers are rounded up to nanoseconds")
  func timesAreRoundedUp() {
    func interval(attoseconds: Int64) -> DispatchTimeInterval {
      DispatchTimeInterval(Duration(secondsComponent: 2, attosecondsComponent: attoseconds))
    }
    #expect(interval(attoseconds: 0) == .nanoseconds(2_000_000_000))
    #expect(interval(attoseconds: 1) == .nanoseconds(2_000_000_001))
    #expect(interval(attoseconds: 1_000_000_000) == .nanoseconds(2_000_000_001))
    #expect(interval(attoseconds: 1_000_000_001) == .nanoseconds(2_000_000_002))
  }

  @Test func eventsCoalesceByKind() {
    func coalesced<Event: SourceEvent>(_ first: UInt, _ second: UInt) -> Event {
      var event = Event(data: first)
      event.coalesce(Event(data: second))
      return event
    }
    #expect(coalesced(3, 4) == TimerEvent(data: 7))
    #expect(coalesced(3, 4) == SignalEvent(data: 7))
    #expect(coalesced(3, 4) == ReadEvent(data: 4))
    #expect(coalesced(3, 4) == WriteEvent(data: 4))
    #expect(coalesced(.max, 2) == AddedData(data: 1))
    #expect(coalesced(3, 6) == CombinedData(data: 7))
    #expect(coalesced(3, 4) == ReplacedData(data: 4))
  }

  /// Another thread can add data while `activate` runs, before it has made the dispatch source.
  ///
  /// Such data must be refused: `withSource` must return `false`.
  @Test func dataThatComesBeforeTheDispatchSourceIsRefused() {
    let core = SourceCore<AddedData>(.adding(on: queue))
    let isActivated = core.lifecycle.activate { #expect(!core.withSource { $0.add(data: 1) }) }
    #expect(isActivated)
    core.invalidate()
  }

  @Test func anEventThatComesAfterTheEndIsIgnored() async {
    let mailbox = EventMailbox<AddedData>(label: "sums")
    mailbox.finish()
    mailbox.deliver(AddedData(data: 1)) { Issue.record("a source without a reader is held") }
    #expect(await mailbox.next() == nil)
  }

  // MARK: The sequence

  @Test("events come through the sequence, which ends at invalidation")
  func eventsUntilInvalidation() async {
    var setup = Setup<ActivatedSource<AddedData>>(.adding(on: queue))
    let events = setup.configuration.makeEvents()
    let activation = setup.activate()
    let source = activation.object
    var sum: UInt = 0
    source.add(1)
    for await event in events {
      sum += event.sum
      if sum < 20 { source.add(1) } else { await source.invalidate() }
    }
    await activation.invalidate()
    #expect(sum == 20)
    var iterator = events.makeAsyncIterator()
    let next = await iterator.next()
    #expect(next == nil)
  }

  @Test("events that come before they are awaited are one")
  func eventsCoalesce() async {
    let seen = Protector<UInt>(0)
    var setup = Setup<ActivatedSource<AddedData>>(.adding(on: queue))
    setup.configuration.onEvent = { event in seen.withWriteLock { $0 += event.sum } }
    let events = setup.configuration.makeEvents()
    let activation = setup.activate()
    for round: UInt in 1...5 {
      activation.object.add(round)
      while seen.value < round * (round + 1) / 2 { await Task.yield() }
    }
    // Waits until the last handler on the source's queue has ended.
    queue.sync {}
    var iterator = events.makeAsyncIterator()
    let next = await iterator.next()
    await activation.invalidate()
    #expect(next?.sum == 15)
  }

  @Test("a consumer that was cancelled before activation invalidates the source at once")
  func cancelledBeforeActivation() async {
    let pipe = Pipe()
    let cancelled = Protector(false)
    var setup = Setup<ActivatedSource<ReadEvent>>(.reading(pipe.reader, on: queue))
    setup.configuration.onCancel = { cancelled.withWriteLock { $0 = true } }
    let events = setup.configuration.makeEvents()
    let consumer = Task { for await _ in events {} }
    consumer.cancel()
    await consumer.value
    let activation = setup.activate()
    while !cancelled.value { await Task.yield() }
    await activation.invalidate()
    Pipe.close(pipe.writer)
  }

  /// After an event, the source is held until the next one is awaited.
  @Test func aSourceThatIsHeldEndsAndClosesItsDescriptor() async {
    let pipe = Pipe()
    let cancelled = Protector(false)
    var setup = Setup<ActivatedSource<ReadEvent>>(.reading(pipe.reader, on: queue))
    setup.configuration.onCancel = { cancelled.withWriteLock { $0 = true } }
    let events = setup.configuration.makeEvents()
    let activation = setup.activate()
    #expect(pipe.write(count: 3) == 3)
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next()?.byteCount == 3)
    await activation.invalidate()
    while !cancelled.value { await Task.yield() }
    Pipe.close(pipe.writer)
  }
}
