import Dispatch
import EventSources
import Lifecycles
import Protectors
import TestSupport
import Testing

@Suite struct ActivatedSourceTests {
  private let queue = DispatchQueue(label: "events")

  // MARK: Life

  @Test("handlers are set before activation, and run on the queue")
  func handlersRunOnTheQueue() {
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let log = Protector<[String]>([])
    var setup = Setup<ActivatedSource<AddedData>>(.adding(on: queue))
    setup.configuration.onEvent = { event in
      let isOnQueue = DispatchQueue.getSpecific(key: key) == true
      log.withWriteLock { $0.append("event \(event.sum) \(isOnQueue)") }
    }
    setup.configuration.onCancel = {
      let isOnQueue = DispatchQueue.getSpecific(key: key) == true
      log.withWriteLock { $0.append("cancel \(isOnQueue)") }
    }
    let activation = setup.activate()
    let isTaken = activation.object.add(5)
    onAnotherThread { log.withReadLock(waitingUntil: { !$0.isEmpty }) { _ in } }
    activation.invalidate()
    onAnotherThread { log.withReadLock(waitingUntil: { $0.count == 2 }) { _ in } }
    queue.sync {}
    #expect(isTaken)
    #expect(log.value == ["event 5 true", "cancel true"])
  }

  @Test("it is activated and invalidated once, however often that is called")
  func itActsOnce() {
    let events = Protector(0)
    let cancels = Protector(0)
    var configuration = ActivatedSource<AddedData>.Configuration.adding(on: queue)
    configuration.onEvent = { event in events.withWriteLock { $0 += Int(event.sum) } }
    configuration.onCancel = { cancels.withWriteLock { $0 += 1 } }
    let source = ActivatedSource(configuration)
    #expect(source.state == .inactive)
    #expect(!source.add(100))
    concurrently({ source.activate() }, { source.activate() }, { source.activate() })
    #expect(source.state == .active)
    source.add(3)
    onAnotherThread { events.withReadLock(waitingUntil: { $0 > 0 }) { _ in } }
    concurrently({ source.invalidate() }, { source.invalidate() }, { source.invalidate() })
    #expect(source.state == .invalidated)
    source.activate()
    #expect(!source.add(100))
    onAnotherThread { cancels.withReadLock(waitingUntil: { $0 > 0 }) { _ in } }
    queue.sync {}
    #expect(events.value == 3)
    #expect(cancels.value == 1)
  }

  @Test("after invalidation on the queue no handler runs, not even for an event on its way")
  func noEventAfterInvalidation() {
    for _ in 0..<100 {
      let log = Protector<[String]>([])
      var configuration = ActivatedSource<AddedData>.Configuration.adding(on: queue)
      configuration.onEvent = { _ in log.withWriteLock { $0.append("event") } }
      configuration.onCancel = { log.withWriteLock { $0.append("cancel") } }
      let source = ActivatedSource(configuration)
      source.activate()
      queue.sync {
        source.add(1)
        source.invalidate()
      }
      onAnotherThread { log.withReadLock(waitingUntil: { $0.contains("cancel") }) { _ in } }
      queue.sync {}
      #expect(log.value == ["cancel"])
    }
  }

  @Test("invalidation on another thread waits for the handler that runs")
  func invalidationWaitsForTheHandler() {
    let isInside = Signal()
    let order = Protector<[String]>([])
    var configuration = ActivatedSource<AddedData>.Configuration.adding(on: queue)
    configuration.onEvent = { _ in
      isInside.send()
      // An invalidation that did not wait for this handler would end during this sleep, and append to `order`
      // first.
      MonotonicClock.sleep(.milliseconds(20))
      order.withWriteLock { $0.append("handler has ended") }
    }
    let source = ActivatedSource(configuration)
    source.activate()
    source.add(1)
    onAnotherThread { isInside.wait() }
    onAnotherThread {
      source.invalidate()
      order.withWriteLock { $0.append("invalidated") }
    }
    #expect(order.value == ["handler has ended", "invalidated"])
  }

  @Test("a handler may invalidate its own source, and runs to its end")
  func aHandlerInvalidatesItsSource() {
    let log = Protector<[String]>([])
    let holder = Unguarded<ActivatedSource<AddedData>?>(nil)
    var configuration = ActivatedSource<AddedData>.Configuration.adding(on: queue)
    configuration.onEvent = { _ in
      let source = holder.value!
      source.add(1)
      source.invalidate()
      log.withWriteLock { $0.append("event") }
    }
    configuration.onCancel = { log.withWriteLock { $0.append("cancel") } }
    queue.sync {
      let source = ActivatedSource(configuration)
      holder.value = source
      source.activate()
      source.add(1)
    }
    onAnotherThread { log.withReadLock(waitingUntil: { $0.contains("cancel") }) { _ in } }
    queue.sync { holder.value = nil }
    #expect(log.value == ["event", "cancel"])
  }

  @Test("handlers are released after cancellation, so a captured owner is no cycle")
  func handlersAreReleased() {
    final class Owner: Sendable {
      let object: Tracked
      let sources = Protector<[ActivatedSource<AddedData>]>([])

      init(_ lifetimes: Lifetimes, on queue: DispatchQueue) {
        object = Tracked(lifetimes)
        var configuration = ActivatedSource<AddedData>.Configuration.adding(on: queue)
        configuration.onEvent = { _ in self.seen() }
        configuration.onCancel = { self.seen() }
        sources.exchange([ActivatedSource(configuration)])
      }

      func seen() { _ = object.number }
    }
    for activates in [true, false] {
      let lifetimes = Lifetimes()
      do {
        let owner = Owner(lifetimes, on: queue)
        let source = owner.sources.value[0]
        if activates {
          source.activate()
          source.add(1)
        }
        source.invalidate()
      }
      // Waits for the cancel handler, which libdispatch calls some time after the invalidation.
      onAnotherThread { while lifetimes.alive > 0 { queue.sync { PlatformThread.yield() } } }
      #expect(lifetimes.made == 1)
    }
  }

  // MARK: Suspensions

  @Test("as many suspensions before the activation as are resumed after it hold events back")
  func suspendedBeforeActivation() {
    let sums = Protector<[UInt]>([])
    var configuration = ActivatedSource<AddedData>.Configuration.adding(on: queue)
    configuration.onEvent = { event in sums.withWriteLock { $0.append(event.sum) } }
    let source = ActivatedSource(configuration)
    for _ in 0..<3 { source.suspend() }
    source.activate()
    source.add(1)
    for _ in 0..<2 { source.resume() }
    queue.sync {}
    #expect(sums.value == [])
    source.resume()
    onAnotherThread { sums.withReadLock(waitingUntil: { !$0.isEmpty }) { _ in } }
    source.invalidate()
    #expect(sums.value == [1])
  }

  @Test("a source that is suspended after its invalidation ends nevertheless")
  func suspendedAfterInvalidation() {
    let hasEnded = Protector(false)
    var configuration = ActivatedSource<AddedData>.Configuration.adding(on: queue)
    configuration.onCancel = { hasEnded.withWriteLock { $0 = true } }
    let source = ActivatedSource(configuration)
    source.activate()
    queue.sync {
      source.invalidate()
      source.suspend()
    }
    onAnotherThread { hasEnded.withReadLock(waitingUntil: { $0 }) { _ in } }
    source.resume()
  }

  // MARK: Descriptors

  @Test(
    "an owned descriptor is closed once, on the queue, after the cancel handler",
    arguments: [true, false])
  func theDescriptorIsClosed(activates: Bool) {
    let pipe = Pipe()
    let wasOpen = Protector<Bool?>(nil)
    var configuration = ActivatedSource<ReadEvent>.Configuration.reading(pipe.reader, on: queue)
    configuration.onCancel = { wasOpen.withWriteLock { $0 = Pipe.isOpen(pipe.reader) } }
    let source = ActivatedSource(configuration)
    if activates { source.activate() }
    queue.sync {
      source.invalidate()
      #expect(Pipe.isOpen(pipe.reader))
      #expect(wasOpen.value == nil)
    }
    onAnotherThread { wasOpen.withReadLock(waitingUntil: { $0 != nil }) { _ in } }
    queue.sync {}
    #expect(wasOpen.value == true)
    // The test can't check that the descriptor is closed, because another test may have reused its number.
    // The stress test counts open descriptors instead.
    Pipe.close(pipe.writer)
  }

  @Test("a descriptor that is not owned stays open")
  func aBorrowedDescriptorStaysOpen() {
    let pipe = Pipe()
    let cancelled = Signal()
    var configuration = ActivatedSource<WriteEvent>.Configuration.writing(
      pipe.writer, closesDescriptor: false, on: queue)
    configuration.onCancel = { cancelled.send() }
    let source = ActivatedSource(configuration)
    source.activate()
    source.invalidate()
    onAnotherThread { cancelled.wait() }
    queue.sync {}
    #expect(Pipe.close(pipe.writer))
    #expect(Pipe.close(pipe.reader))
  }

  // MARK: Kinds

  @Test("read and write events")
  func readAndWriteEvents() {
    let pipe = Pipe()
    let read = Protector(0)
    let mostAnnounced = Protector<UInt>(0)
    let canWrite = Signal()
    var reading = Setup<ActivatedSource<ReadEvent>>(.reading(pipe.reader, on: queue))
    reading.configuration.onEvent = { event in
      // More bytes may arrive after the event was made, so `byteCount` is only a lower bound of the bytes
      // that are read.
      mostAnnounced.withWriteLock { $0 = max($0, event.byteCount) }
      let count = pipe.drain()
      read.withWriteLock { $0 += count }
    }
    var writing = Setup<ActivatedSource<WriteEvent>>(
      .writing(pipe.writer, closesDescriptor: false, on: queue))
    writing.configuration.onEvent = { _ in canWrite.send() }
    let reader = reading.activate()
    let writer = writing.activate()
    onAnotherThread { canWrite.wait() }
    writer.invalidate()
    pipe.write(count: 100)
    pipe.write(count: 23)
    onAnotherThread { read.withReadLock(waitingUntil: { $0 >= 123 }) { _ in } }
    reader.invalidate()
    #expect(read.value == 123)
    #expect((1...123).contains(mostAnnounced.value))
    Pipe.close(pipe.writer)
  }

  @Test("a listening socket announces 1 when a client connects, because it does not count its bytes")
  func listeningSocket() {
    let socket = ListeningSocket()
    let announced = Protector<UInt?>(nil)
    var setup = Setup<ActivatedSource<ReadEvent>>(.reading(socket.descriptor, on: queue))
    setup.configuration.onEvent = { event in announced.withWriteLock { $0 = $0 ?? event.byteCount } }
    let activation = setup.activate()
    let client = socket.makeClient()
    onAnotherThread { announced.withReadLock(waitingUntil: { $0 != nil }) { _ in } }
    activation.invalidate()
    Pipe.close(client)
    #expect(announced.value == 1)
  }

  @Test("timers fire once or again and again")
  func timers() {
    let once = Protector<UInt>(0)
    let often = Protector<UInt>(0)
    let first = MonotonicClock.now
    let fired = Protector<UInt64>(0)
    var single = Setup<ActivatedSource<TimerEvent>>(.timer(after: .milliseconds(10), on: queue))
    single.configuration.onEvent = { event in
      fired.withWriteLock { $0 = MonotonicClock.now }
      once.withWriteLock { $0 += event.count }
    }
    var repeated = Setup<ActivatedSource<TimerEvent>>(
      .timer(after: .zero, every: .milliseconds(2), leeway: .milliseconds(1), on: queue))
    repeated.configuration.onEvent = { event in often.withWriteLock { $0 += event.count } }
    let singleActivation = single.activate()
    let repeatedActivation = repeated.activate()
    onAnotherThread { once.withReadLock(waitingUntil: { $0 > 0 }) { _ in } }
    let before = often.value
    onAnotherThread { often.withReadLock(waitingUntil: { $0 >= before + 20 }) { _ in } }
    singleActivation.invalidate()
    repeatedActivation.invalidate()
    #expect(once.value == 1)
    // The timer's delay is 10 ms. It may be late, but never early, so the test checks only a lower bound.
    #expect(fired.value - first >= 10_000_000)
  }

  @Test(
    "a timer whose time no clock can represent does not fire",
    arguments: [
      Duration.seconds(Int64.max) * 18, .seconds(Int64.max), .seconds(9_223_372_036) + .milliseconds(900),
    ])
  func endlessTimer(duration: Duration) {
    let count = Protector<UInt>(0)
    var setup = Setup<ActivatedSource<TimerEvent>>(.timer(after: duration, every: duration, on: queue))
    setup.configuration.onEvent = { event in count.withWriteLock { $0 += event.count } }
    let activation = setup.activate()
    MonotonicClock.sleep(.milliseconds(20))
    queue.sync {}
    activation.invalidate()
    #expect(count.value == 0)
  }

  /// The test runs in a process of its own, because it changes how the process reacts to a signal.
  @Test("signals")
  func signals() async {
    await #expect(processExitsWith: .success) {
      ProcessSignal.ignore()
      let count = Protector<UInt>(0)
      let queue = DispatchQueue(label: "signals")
      var setup = Setup<ActivatedSource<SignalEvent>>(.signal(ProcessSignal.number, on: queue))
      setup.configuration.onEvent = { event in count.withWriteLock { $0 += event.count } }
      let activation = setup.activate()
      // The source begins to watch some time after its activation, and misses earlier signals. So the signal
      // is sent repeatedly.
      while count.value == 0 {
        ProcessSignal.send()
        MonotonicClock.sleep(.milliseconds(1))
      }
      await activation.invalidate()
    }
  }

  #if os(Linux)
    /// The action of a signal is there again after its sources, also where libdispatch does not replace it again.
    @Test func aSignalEndsTheProcessAfterItsSourcesEnd() async {
      let result = await #expect(
        processExitsWith: .signal(ProcessSignal.number), observing: [\.standardOutputContent]
      ) {
        onAnotherThread { for _ in 0..<2 { Self.watchForASignalTwice() } }
        ProcessSignal.send(after: "ended")
        onAnotherThread { Signal().wait() }
      }
      #expect(result?.standardOutputContent.elementsEqual("ended".utf8) == true)
    }

    /// libdispatch replaces the action nevertheless, perhaps after the invalidation.
    @Test func aSourceThatIsInvalidatedImmediatelyRestoresTheAction() async {
      await #expect(processExitsWith: .success) {
        let ended = Signal()
        var setup = Setup<ActivatedSource<SignalEvent>>(
          .signal(ProcessSignal.number, on: DispatchQueue(label: "signals")))
        setup.configuration.onCancel = { ended.send() }
        await setup.activate().invalidate()
        onAnotherThread { ended.wait() }
        precondition(ProcessSignal.hasDefaultAction)
      }
    }

    @Test func anActionThatTheProgramSetsMeanwhileStays() async {
      await #expect(processExitsWith: .success) {
        let source = Self.watchForASignal(on: DispatchQueue(label: "signals"))
        ProcessSignal.catchIt()
        await source.invalidate()
        precondition(!ProcessSignal.hasDefaultAction)
      }
    }

    /// Activates a source, and returns it when it has reported a signal.
    private static func watchForASignal(on queue: DispatchQueue) -> Activation<ActivatedSource<SignalEvent>> {
      let count = Protector<UInt>(0)
      var setup = Setup<ActivatedSource<SignalEvent>>(.signal(ProcessSignal.number, on: queue))
      setup.configuration.onEvent = { event in count.withWriteLock { $0 += event.count } }
      let activation = setup.activate()
      while ProcessSignal.hasDefaultAction { MonotonicClock.sleep(.milliseconds(1)) }
      while count.value == 0 {
        ProcessSignal.send()
        MonotonicClock.sleep(.milliseconds(1))
      }
      return activation
    }

    private static func watchForASignalTwice() {
      let queue = DispatchQueue(label: "signals")
      let first = watchForASignal(on: queue)
      let second = watchForASignal(on: queue)
      first.invalidate()
      precondition(!ProcessSignal.hasDefaultAction)
      // No handler of the queue runs meanwhile.
      queue.suspend()
      second.invalidate()
      precondition(ProcessSignal.hasDefaultAction)
      queue.resume()
    }
  #endif

  @Test("data that comes while the handler is busy comes as one event")
  func userDataCoalesces() {
    #expect(values(.adding(on: queue), { $0.sum }) { $0.add($1 + 1) } == [10])
    #expect(values(.combining(on: queue), { $0.bits }) { $0.combine($1) } == [7])
    #expect(values(.replacing(on: queue), { $0.value }) { $0.replace($1) } == [4])
  }

  /// Sends 1, 2 and 4 to a source while its queue is busy, and returns the values of the events.
  private func values<Event: SourceEvent>(
    _ configuration: ActivatedSource<Event>.Configuration, _ value: @escaping @Sendable (Event) -> UInt,
    _ send: (ActivatedSource<Event>, UInt) -> Void
  ) -> [UInt] {
    let values = Protector<[UInt]>([])
    var setup = Setup<ActivatedSource<Event>>(configuration)
    setup.configuration.onEvent = { event in values.withWriteLock { $0.append(value(event)) } }
    let activation = setup.activate()
    queue.sync { for number: UInt in [1, 2, 4] { send(activation.object, number) } }
    onAnotherThread { values.withReadLock(waitingUntil: { !$0.isEmpty }) { _ in } }
    activation.invalidate()
    return values.value
  }

  /// Makes, activates and invalidates a source, and returns it after its cancel handler has run.
  private static func use<Event: SourceEvent>(
    _ configuration: ActivatedSource<Event>.Configuration, on queue: DispatchQueue
  ) async -> ActivatedSource<Event> {
    let isCancelled = Signal()
    var configuration = configuration
    configuration.onCancel = { isCancelled.send() }
    let source = ActivatedSource(configuration)
    source.activate()
    await source.invalidate()
    onAnotherThread { isCancelled.wait() }
    // The source closes its descriptor on the queue, right after the cancel handler. Wait for that.
    queue.sync {}
    return source
  }

  /// The test runs in a process of its own, because the other tests open and close descriptors, too.
  @Test("an invalidated source holds no descriptors, although it still exists")
  func invalidatedSourceHoldsNoDescriptors() async {
    await #expect(processExitsWith: .success) {
      let pipe = Pipe()
      let queue = DispatchQueue(label: "descriptors")
      func read() async -> AnyObject {
        await ActivatedSourceTests.use(.reading(Pipe.duplicate(pipe.reader), on: queue), on: queue)
      }
      // The first source makes libdispatch open descriptors of its own, which the test must not count.
      _ = await read()
      let before = Pipe.openCount
      let reader = await read()
      precondition(Pipe.openCount == before, "a read source has left descriptors open")
      let writer = await ActivatedSourceTests.use(
        .writing(Pipe.duplicate(pipe.writer), on: queue), on: queue)
      precondition(Pipe.openCount == before, "a write source has left descriptors open")
      withExtendedLifetime((reader, writer)) {}
    }
  }

  /// The test runs in a process of its own, because it closes standard input.
  @Test("with standard input closed, descriptor 0 is as good as another one")
  func descriptorZero() async {
    await #expect(processExitsWith: .success) {
      let pipe = Pipe()
      let queue = DispatchQueue(label: "descriptors")
      // The first source makes libdispatch open descriptors of its own, which the test must not count.
      _ = await ActivatedSourceTests.use(.reading(Pipe.duplicate(pipe.reader), on: queue), on: queue)
      Pipe.close(0)
      let before = Pipe.openCount
      // Descriptor 0 is free now, so on Linux the epoll instance of each source gets this number.
      _ = await ActivatedSourceTests.use(.reading(pipe.reader, on: queue), on: queue)
      _ = await ActivatedSourceTests.use(.writing(pipe.writer, on: queue), on: queue)
      precondition(Pipe.openCount == before - 2, "descriptors are left open")
    }
  }

  // MARK: Suspending

  @Test("a suspended source holds events back, which come as one")
  func suspension() {
    let sums = Protector<[UInt]>([])
    var configuration = ActivatedSource<AddedData>.Configuration.adding(on: queue)
    configuration.onEvent = { event in sums.withWriteLock { $0.append(event.sum) } }
    let source = ActivatedSource(configuration)
    source.suspend()
    source.activate()
    source.suspend()
    source.add(1)
    source.add(2)
    queue.sync {}
    source.resume()
    queue.sync {}
    #expect(sums.value == [])
    source.resume()
    onAnotherThread { sums.withReadLock(waitingUntil: { !$0.isEmpty }) { _ in } }
    #expect(sums.value == [3])
    source.invalidate()
    // After the invalidation, `resume` and `suspend` must have no effect; in particular `resume` must not
    // trap.
    source.resume()
    source.suspend()
  }

  @Test("invalidation ends suspensions, so that the cancel handler runs")
  func invalidationEndsSuspensions() {
    let cancelled = Signal()
    let events = Protector(0)
    var configuration = ActivatedSource<AddedData>.Configuration.adding(on: queue)
    configuration.onEvent = { _ in events.withWriteLock { $0 += 1 } }
    configuration.onCancel = { cancelled.send() }
    let source = ActivatedSource(configuration)
    source.activate()
    source.suspend()
    source.suspend()
    source.add(1)
    source.invalidate()
    onAnotherThread { cancelled.wait() }
    #expect(events.value == 0)
  }
}
