import Lifecycles
import Observers
import Observation
import Protectors
import TestSupport
import Testing
import ViewModels

@MainActor
@Suite(.timeLimit(.minutes(20))) struct BusyControllerTests {
  private let transform = DataTransform()

  /// Starts a work item of `transform` that ends when the test sends the signal `go`.
  ///
  /// Returns the signal, and a task that ends after the work item.
  private func work(_ transform: DataTransform) -> (go: Signal, task: Task<Void, Never>) {
    let go = Signal()
    return (go, Task { await transform.run(go) { $0.wait() } })
  }

  /// Records the values of `isBusy` by the `Observation` module.
  ///
  /// A value is read when the next one is about to replace it, and when `values` is read.
  @MainActor
  private final class BusyRecord {
    private var seen: [Bool] = []
    private let controller: BusyController
    var onChange: @MainActor () -> Void = {}

    init(_ controller: BusyController) {
      self.controller = controller
      track()
    }

    var values: [Bool] { seen + [controller.isBusy] }

    private func track() {
      withObservationTracking {
        _ = controller.isBusy
      } onChange: { [weak self] in
        MainActor.assumeIsolated {
          guard let self else { return }
          self.seen.append(self.controller.isBusy)
          self.track()
          self.onChange()
        }
      }
    }
  }

  @Test("it registers at activation, shows busy and idle, unregisters at invalidation")
  func itsLife() async {
    let controller = BusyController(of: transform)
    let notified = BusyRecord(controller)
    // The controller is not active yet, so this work does not notify it.
    _ = await transform.run(0) { $0 }
    await transform.idle()
    #expect(notified.values == [false])

    #expect(transform.registrationCount == 0)
    #expect(controller.activate())
    #expect(!controller.activate())
    #expect(transform.registrationCount == 1)
    #expect(!controller.isBusy)
    let (go, task) = work(transform)
    while !controller.isBusy { await Task.yield() }
    go.send()
    while controller.isBusy { await Task.yield() }
    await task.value

    #expect(controller.invalidate())
    #expect(transform.registrationCount == 0)
    #expect(!controller.invalidate())
    #expect(!controller.activate())
    _ = await transform.run(0) { $0 }
    await transform.idle()
    #expect(notified.values == [false, true, false])
  }

  @Test("it is busy for as long as any work is under way, and notified once")
  func overlappingWork() async {
    let controller = BusyController(of: transform)
    controller.activate()
    let notified = BusyRecord(controller)
    let pieces = (0..<3).map { _ in work(transform) }
    while transform.pending < 3 { await Task.yield() }
    for piece in pieces { piece.go.send() }
    for piece in pieces { await piece.task.value }
    await transform.idle()
    #expect(notified.values == [false, true, false])
    controller.invalidate()
  }

  @Test("activated while work is under way, it is busy at once")
  func activatedLate() async {
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

  @Test("an event that is on its way when it is invalidated is dropped")
  func eventsOnTheirWay() async {
    let controller = BusyController(of: transform)
    controller.activate()
    let notified = BusyRecord(controller)
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
  }

  @Test("an observer of its change may invalidate it, and it is idle then", arguments: [false, true])
  func invalidatedByAnObserver(atActivation: Bool) async {
    let controller = BusyController(of: transform)
    let notified = BusyRecord(controller)
    notified.onChange = { controller.invalidate() }
    if !atActivation { controller.activate() }
    let (go, task) = work(transform)
    while transform.pending == 0 { await Task.yield() }
    if atActivation { controller.activate() }
    #expect(!controller.isBusy && !controller.invalidate() && transform.registrationCount == 0)
    go.send()
    await task.value
    await transform.idle()
    #expect(!notified.values.contains(true))
  }

  private struct Last: Sendable {
    weak let controller: BusyController?
  }

  @Test("the subsystem's queue may have the last reference")
  func theQueueHasTheLastReference() async {
    let box = ExclusiveProtector<BusyController?>(nil)
    let last: Last
    let entered = Signal()
    let go = Signal()
    do {
      let controller = BusyController(of: transform)
      controller.activate()
      last = Last(controller: controller)
      box.exchange(controller)
    }
    let task = Task.detached {
      await transform.run(box) { box in
        entered.send()
        go.wait()
        box.exchange(nil)
        // `box` held the last reference, so `exchange(nil)` must have deallocated the controller.
        return last.controller == nil
      }
    }
    entered.wait()
    box.withLock { $0 }?.invalidate()
    go.send()
    #expect(await task.value)
    await transform.idle()
  }
}
