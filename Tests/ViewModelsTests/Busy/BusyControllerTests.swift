import Lifecycles
import Observers
import Observation
import Protectors
import TestSupport
import Testing
import ViewModels

@MainActor
@Suite(.timeLimit(.minutes(20))) struct BusyControllerTests {
  /// Starts a work item of `transform` that ends when the test sends the signal `go`.
  ///
  /// Returns the signal, and a task that ends after the work item.
  private func work(_ transform: DataTransform) -> (go: Signal, task: Task<Void, Never>) {
    let go = Signal()
    return (go, Task { await transform.run(go) { $0.wait() } })
  }

  @Test("it registers at activation, shows busy and idle, unregisters at invalidation")
  func itsLife() async {
    let transform = DataTransform()
    let controller = BusyController(of: transform)
    let notified = Record<Bool>()
    let subscription = controller.busy.observe { busy in
      MainActor.preconditionIsolated()
      notified.add(busy)
    }
    // The controller is not active yet, so this work does not notify it.
    _ = await transform.run(0) { $0 }
    await transform.idle()
    #expect(notified.values == [false])

    #expect(transform.registrationCount == 0)
    #expect(controller.activate())
    #expect(!controller.activate())
    #expect(transform.registrationCount == 1)
    #expect(!controller.isBusy)
    var busy = controller.busy.skip(1).values().makeAsyncIterator()
    let (go, task) = work(transform)
    #expect(await busy.next() == true)
    #expect(controller.isBusy)
    go.send()
    #expect(await busy.next() == false)
    #expect(!controller.isBusy)
    await task.value

    #expect(controller.invalidate())
    #expect(transform.registrationCount == 0)
    #expect(!controller.invalidate())
    #expect(!controller.activate())
    _ = await transform.run(0) { $0 }
    await transform.idle()
    #expect(notified.values == [false, true, false])
    subscription.end()
  }

  @Test("it is busy for as long as any work is under way, and notified once")
  func overlappingWork() async {
    let transform = DataTransform()
    let controller = BusyController(of: transform)
    controller.activate()
    let notified = Record<Bool>()
    let subscription = controller.busy.observe(notified.add)
    let pieces = (0..<3).map { _ in work(transform) }
    while transform.pending < 3 { await Task.yield() }
    for piece in pieces { piece.go.send() }
    for piece in pieces { await piece.task.value }
    await transform.idle()
    #expect(notified.values == [false, true, false])
    subscription.end()
    controller.invalidate()
  }

  @Test("activated while work is under way, it is busy at once")
  func activatedLate() async {
    let transform = DataTransform()
    let (go, task) = work(transform)
    while transform.pending == 0 { await Task.yield() }
    let controller = BusyController(of: transform)
    #expect(!controller.isBusy)
    controller.activate()
    #expect(controller.isBusy)
    go.send()
    await task.value
    await transform.idle()
    #expect(!controller.isBusy)
    controller.invalidate()
  }

  @Test("invalidated by an observer of its activation, it is not registered")
  func invalidatedAtActivation() async {
    let transform = DataTransform()
    let (go, task) = work(transform)
    while transform.pending == 0 { await Task.yield() }
    let controller = BusyController(of: transform)
    let notified = Record<Bool>()
    let subscription = controller.busy.observe { [weak controller] busy in
      notified.add(busy)
      if busy { controller?.invalidate() }
    }
    controller.activate()
    #expect(notified.values == [false, true, false])
    #expect(transform.registrationCount == 0)
    go.send()
    await task.value
    await transform.idle()
    subscription.end()
  }

  @Test("invalidated by the first call of an observer, it is idle after that call")
  func invalidatedByTheFirstCall() async {
    let transform = DataTransform()
    let (go, task) = work(transform)
    while transform.pending == 0 { await Task.yield() }
    let controller = BusyController(of: transform)
    controller.activate()
    let notified = Record<Bool>()
    let subscription = controller.busy.observe { [weak controller] busy in
      notified.add(busy)
      guard busy else { return }
      controller?.invalidate()
      #expect(controller?.isBusy == true)
    }
    #expect(notified.values == [true, false] && !controller.isBusy)
    go.send()
    await task.value
    await transform.idle()
    subscription.end()
  }

  @Test("an event that is on its way when it is invalidated is dropped")
  func eventsOnTheirWay() async {
    let transform = DataTransform()
    let controller = BusyController(of: transform)
    controller.activate()
    let notified = Record<Bool>()
    let subscription = controller.busy.observe(notified.add)
    let entered = Signal()
    let go = Signal()
    let task = Task.detached {
      await transform.run(0) { _ in
        entered.send()
        go.wait()
      }
    }
    // This wait blocks the main thread, so observers are not yet notified of the start of the work.
    entered.wait()
    controller.invalidate()
    while transform.pending == 0 { await Task.yield() }
    #expect(notified.values == [false])
    // The test calls the observer's functions directly, as a subsystem might do after the invalidation. The
    // controller must drop these events as well.
    controller.dataTransformDidStart(transform)
    controller.dataTransformDidStop(transform)
    #expect(notified.values == [false])
    go.send()
    await task.value
    await transform.idle()
    #expect(notified.values == [false])
    subscription.end()
  }

  @Test("it can be invalidated from inside an event, and is idle then")
  func invalidatedInside() async {
    let transform = DataTransform()
    let controller = BusyController(of: transform)
    controller.activate()
    let notified = Record<Bool>()
    let subscription = controller.busy.observe { [weak controller] busy in
      notified.add(busy)
      if busy { controller?.invalidate() }
    }
    _ = await transform.run(0) { $0 }
    await transform.idle()
    #expect(notified.values == [false, true, false])
    #expect(!controller.isBusy && !controller.invalidate())
    subscription.end()
  }

  @Test("an observer that invalidates it leaves no other wrong")
  func invalidatedByAnObserver() async {
    let transform = DataTransform()
    let controller = BusyController(of: transform)
    controller.activate()
    let (first, second) = (Record<Bool>(), Record<Bool>())
    let firstSubscription = controller.busy.observe { [weak controller] busy in
      first.add(busy)
      if busy { controller?.invalidate() }
    }
    let secondSubscription = controller.busy.observe { [weak controller] busy in
      second.add(busy)
      // While observers are notified of a value, `isBusy` must have this value, even if the first observer
      // has invalidated the controller.
      #expect(controller?.isBusy == busy)
    }
    _ = await transform.run(0) { $0 }
    await transform.idle()
    #expect(first.values == [false, true, false])
    #expect(second.values == [false, true, false])
    #expect(!controller.isBusy)
    firstSubscription.end()
    secondSubscription.end()
  }

  @Test("the subsystem's queue may have the last reference")
  func theQueueHasTheLastReference() async {
    let transform = DataTransform()
    let box = ExclusiveProtector<BusyController?>(nil)
    let holder: WeakHolder<BusyController>
    let entered = Signal()
    let go = Signal()
    do {
      let controller = BusyController(of: transform)
      controller.activate()
      holder = WeakHolder(controller)
      box.exchange(controller)
    }
    let task = Task.detached {
      await transform.run(box) { box in
        entered.send()
        go.wait()
        box.exchange(nil)
        // `box` held the last reference, so `exchange(nil)` must have deallocated the controller.
        return holder.object == nil
      }
    }
    entered.wait()
    box.withWriteLock { $0 }?.invalidate()
    go.send()
    #expect(await task.value)
    await transform.idle()
  }

  @Test func itsStreamEndsWithIt() async {
    let transform = DataTransform()
    let values: StreamValues<Bool>
    do {
      let controller = BusyController(of: transform)
      controller.activate()
      values = controller.busy.values()
      controller.invalidate()
    }
    var seen: [Bool] = []
    for await busy in values { seen.append(busy) }
    #expect(seen == [false])
  }

  @Test func aControllerThatWasNeverActivatedCanBeDeallocated() {
    let transform = DataTransform()
    weak var released: BusyController?
    do {
      let controller = BusyController(of: transform)
      released = controller
      withExtendedLifetime(controller) {}
    }
    #expect(released == nil)
  }

  @Test func theObservationModuleIsNotified() async {
    let transform = DataTransform()
    let controller = BusyController(of: transform)
    controller.activate()
    let changes = RelaxedCounter()
    let isBusy = withObservationTracking {
      controller.isBusy
    } onChange: {
      changes.add(1)
    }
    #expect(!isBusy && changes.value == 0)
    _ = await transform.run(0) { $0 }
    await transform.idle()
    #expect(changes.value == 1)

    // The start of a second work item must not count as a change, because `isBusy` is already true.
    let first = work(transform)
    while !controller.isBusy { await Task.yield() }
    _ = withObservationTracking {
      controller.isBusy
    } onChange: {
      changes.add(1)
    }
    let second = work(transform)
    while transform.pending < 2 { await Task.yield() }
    #expect(changes.value == 1)
    for piece in [first, second] {
      piece.go.send()
      await piece.task.value
    }
    await transform.idle()
    #expect(changes.value == 2)
    controller.invalidate()
  }

  @Test("controllers come and go while threads keep the subsystem at work")
  func controllersComeAndGo() async {
    let transform = DataTransform()
    let rounds = StressSize.pick(quick: 200, full: 10_000)
    let tasks = (0..<4).map { _ in
      Task.detached {
        for number in 0..<rounds { _ = await transform.run(number) { $0 } }
      }
    }
    var random = Seed.current.generator(stream: 0)
    var controllers: [BusyController] = []
    for _ in 0..<rounds {
      let controller = BusyController(of: transform)
      controller.activate()
      #expect(controller.isBusy == (transform.pending > 0), "\(Seed.current)")
      controllers.append(controller)
      await Task.yield()
      for controller in controllers where controller.isBusy != (transform.pending > 0) {
        Issue.record("a controller is out of step; \(Seed.current)")
      }
      if controllers.count > 4 {
        controllers.remove(at: controllers.indices.randomElement(using: &random)!).invalidate()
      }
    }
    for task in tasks { await task.value }
    await transform.idle()
    for controller in controllers {
      #expect(!controller.isBusy)
      controller.invalidate()
    }
  }
}
