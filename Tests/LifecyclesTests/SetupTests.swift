import Lifecycles
import TestSupport
import Testing

/// An object that records its activations and invalidations.
private final class Recorder: Activatable {
  struct Configuration: Sendable {
    var name: String
    let lifetimes: Lifetimes
    let steps = Unguarded<[String]>([])
  }

  let configuration: Configuration
  private let tracked: Tracked
  private let lifecycle = Lifecycle(label: "Recorder")

  init(_ configuration: Configuration) {
    self.configuration = configuration
    tracked = Tracked(configuration.lifetimes)
    configuration.steps.value.append("made as \(configuration.name)")
  }

  func activate() {
    lifecycle.activate { configuration.steps.value.append("activated") }
  }

  func invalidate() {
    lifecycle.invalidate { configuration.steps.value.append("invalidated") }
  }

  var state: Lifecycle.State { lifecycle.state }
}

@Suite struct SetupTests {
  private let lifetimes = Lifetimes()

  @Test("an object is set up, activated once and invalidated once")
  func theFourSteps() {
    let configuration = Recorder.Configuration(name: "first", lifetimes: lifetimes)
    let steps = configuration.steps
    do {
      var setup = Setup<Recorder>(configuration)
      setup.configuration.name = "second"
      #expect(lifetimes.made == 0)
      let activation = setup.activate()
      let state = activation.object.state
      let name = activation.object.configuration.name
      #expect(state == .active)
      #expect(name == "second")
      activation.object.activate()
      activation.invalidate()
    }
    #expect(steps.value == ["made as second", "activated", "invalidated"])
    #expect(lifetimes.made == 1)
    #expect(lifetimes.alive == 0)
  }

  @Test func aKeptObjectIsSeenInvalidated() {
    let activation = Setup<Recorder>(Recorder.Configuration(name: "", lifetimes: lifetimes)).activate()
    let object = activation.object
    activation.invalidate()
    #expect(object.state == .invalidated)
    #expect(lifetimes.alive == 1)
  }

  @Test func aDroppedSetupMakesNoObject() {
    let configuration = Recorder.Configuration(name: "", lifetimes: lifetimes)
    do {
      var setup = Setup<Recorder>(configuration)
      setup.configuration.name = "never used"
    }
    #expect(lifetimes.made == 0)
    #expect(configuration.steps.value.isEmpty)
  }

  @Test func anActivationIsEndedOnAnotherThread() {
    let configuration = Recorder.Configuration(name: "", lifetimes: lifetimes)
    concurrently {
      let activation = Setup<Recorder>(configuration).activate()
      let object = activation.object
      let state = onAnotherThread { object.state }
      activation.invalidate()
      #expect(state == .active)
    }
    #expect(configuration.steps.value.last == "invalidated")
    #expect(lifetimes.alive == 0)
  }

  // MARK: withActivation

  private struct Failure: Error, Equatable { var number: Int }

  /// A result that can't be copied, and tells of its end.
  private struct Result: ~Copyable {
    let number: Int
    let state: Lifecycle.State
  }

  private func makeConfiguration() -> Recorder.Configuration {
    Recorder.Configuration(name: "it", lifetimes: lifetimes)
  }

  private func checkEnd(_ steps: Unguarded<[String]>, _ middle: String...) {
    #expect(steps.value == ["made as it", "activated"] + middle + ["invalidated"])
    #expect(lifetimes.made == 1)
    #expect(lifetimes.alive == 0)
  }

  @Test func anObjectIsActiveDuringABody() {
    let configuration = makeConfiguration()
    let setup = Setup<Recorder>(configuration)
    let steps = configuration.steps
    let result = setup.withActivation { object in
      steps.value.append("body")
      return Result(number: 5, state: object.state)
    }
    let (number, state) = (result.number, result.state)
    #expect(number == 5)
    #expect(state == .active)
    checkEnd(steps, "body")
  }

  @Test func anErrorInvalidatesTheObject() {
    let configuration = makeConfiguration()
    let setup = Setup<Recorder>(configuration)
    let steps = configuration.steps
    do throws(Failure) {
      try setup.withActivation { (_) throws(Failure) in
        steps.value.append("body")
        throw Failure(number: 7)
      }
      Issue.record("the error was lost")
    } catch {
      #expect(error.number == 7)
    }
    checkEnd(steps, "body")
  }

  @Test func aBodyMayInvalidateTheObject() {
    let configuration = makeConfiguration()
    let setup = Setup<Recorder>(configuration)
    let steps = configuration.steps
    setup.withActivation { object in
      object.invalidate()
      steps.value.append("rest")
    }
    #expect(steps.value == ["made as it", "activated", "invalidated", "rest"])
    #expect(lifetimes.alive == 0)
  }

  @MainActor
  @Test func anObjectIsActiveDuringAnAsynchronousBody() async {
    let configuration = makeConfiguration()
    let setup = Setup<Recorder>(configuration)
    let steps = configuration.steps
    var count = 0
    let result = await setup.withActivation { object in
      await Task.yield()
      MainActor.assertIsolated()
      count += 1
      steps.value.append("body")
      return Result(number: count, state: object.state)
    }
    MainActor.assertIsolated()
    let (number, state) = (result.number, result.state)
    #expect(number == 1)
    #expect(state == .active)
    checkEnd(steps, "body")
  }

  @MainActor
  @Test func anErrorOfAnAsynchronousBodyInvalidatesTheObject() async {
    let configuration = makeConfiguration()
    let setup = Setup<Recorder>(configuration)
    let steps = configuration.steps
    do throws(Failure) {
      try await setup.withActivation { (_) async throws(Failure) in
        await Task.yield()
        steps.value.append("body")
        throw Failure(number: 7)
      }
      Issue.record("the error was lost")
    } catch {
      MainActor.assertIsolated()
      #expect(error.number == 7)
    }
    checkEnd(steps, "body")
  }

  @Test func aCancelledTaskInvalidatesTheObject() async {
    let configuration = makeConfiguration()
    let steps = configuration.steps
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await Setup<Recorder>(configuration).withActivation { _ in
        steps.value.append("body")
        try Task.checkCancellation()
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    checkEnd(steps, "body")
  }

  @Test("an activation that is dropped traps by name")
  func aDroppedActivationTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let configuration = Recorder.Configuration(name: "", lifetimes: Lifetimes())
      _ = Setup<Recorder>(configuration).activate()
    }
    #expect(
      result?.standardErrorContent.trap
        == "Activation<Recorder>: dropped while its object is active; end it with invalidate()")
  }
}
