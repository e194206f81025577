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
