import EventSources
import InterlockCore
import TestSupport
import Testing

@testable import Lifecycles

/// Tests a lifecycle on one thread.
@Suite struct LifecycleTests {
  private struct Failure: Error, Equatable {
    let number: Int
  }

  /// A value that can't be copied.
  private struct Token: ~Copyable, Sendable {
    let number: Int
  }

  @Test("setup, activate, invalidate, deallocate")
  func theFourSteps() {
    let lifetimes = Lifetimes()
    do {
      let tracked = Tracked(lifetimes)
      let lifecycle = Lifecycle(label: "Four steps")
      #expect(lifecycle.label.description == "Four steps")
      #expect(lifecycle.state == .inactive)
      #expect(lifecycle.whileActive { tracked.number } == nil)
      let seen = Unguarded<[Lifecycle.State]>([])
      #expect(lifecycle.activate { seen.value.append(lifecycle.state) })
      #expect(lifecycle.state == .active)
      #expect(lifecycle.whileActive { tracked.number } == 0)
      #expect(lifecycle.invalidate { seen.value.append(lifecycle.state) })
      #expect(seen.value == [.active, .invalidated])
      #expect(lifecycle.state == .invalidated)
      #expect(lifecycle.whileActive { tracked.number } == nil)
    }
    #expect(lifetimes.alive == 0)
  }

  @Test func anObjectThatWasNeverActivatedCanBeDeallocated() {
    let lifecycle = Lifecycle(label: "Never activated")
    #expect(lifecycle.state == .inactive)
  }

  // MARK: Deliveries

  @Test
  func aDeliveryReturnsWhatItsBodyReturns() {
    let lifecycle = activeLifecycle()
    #expect(lifecycle.whileActive { "text" } == "text")
    let number =
      switch lifecycle.whileActive({ Token(number: 3) }) {
      case .some(let token): token.number
      case nil: 0
      }
    #expect(number == 3)
    lifecycle.invalidate()
  }

  @Test("A delivery that returns nothing returns whether it was run, and may be ignored")
  func deliveriesWithoutResult() throws {
    let lifecycle = Lifecycle(label: "test")
    var count = 0
    let wasRunBefore = lifecycle.whileActive { count += 1 } != nil
    lifecycle.activate()
    let wasRun: Void? = lifecycle.whileActive {
      count += 1
      count += 1
    }
    // The compiler must not warn if a result is ignored.
    let value: Int? = lifecycle.whileActive { count }
    let nested = lifecycle.whileActive { lifecycle.whileActive { count += 1 } != nil }
    lifecycle.whileActive { count }
    lifecycle.whileActive { count += 1 }
    try lifecycle.whileActive { () throws in count += 1 }
    #expect(onAnotherThread { lifecycle.invalidate() })
    let wasRunAfter = lifecycle.whileActive { count += 1 } != nil
    #expect([wasRunBefore, wasRun != nil, wasRunAfter] == [false, true, false])
    #expect((value, nested, count) == (2, true, 5))
  }

  // MARK: Inside

  @Test(
    "invalidate inside a delivery doesn't wait for itself")
  func invalidateInsideADelivery() {
    let lifecycle = activeLifecycle()
    let steps = Unguarded<[String]>([])
    func note(_ step: String) { steps.value.append(step) }
    lifecycle.whileActive {
      lifecycle.whileActive {
        if lifecycle.invalidate({ note("invalidated") }) { note("by this call") }
        if lifecycle.invalidate({ note("invalidated again") }) { note("by the second call") }
        if lifecycle.whileActive({ 1 }) != nil { note("a delivery inside") }
        note("the nested delivery ends")
      }
      if lifecycle.whileActive({ 2 }) != nil { note("a delivery inside") }
      note("the delivery ends")
    }
    #expect(
      steps.value == ["invalidated", "by this call", "the nested delivery ends", "the delivery ends"])
    #expect(onAnotherThread { !lifecycle.invalidate() })
  }

  @Test
  func activateInsideItsBodyAndInsideADeliveryDoesNothing() {
    let lifecycle = Lifecycle(label: "Test")
    let runs = RelaxedCounter()
    let isFirst = lifecycle.activate {
      let isSecond = lifecycle.activate { runs.add(1) }
      let isThird = lifecycle.whileActive { lifecycle.activate { runs.add(1) } }
      #expect(!isSecond)
      #expect(isThird == false)
    }
    let isFourth = lifecycle.whileActive { lifecycle.activate { runs.add(1) } }
    #expect(isFirst)
    #expect(isFourth == false)
    #expect(runs.value == 0)
    lifecycle.invalidate()
  }

  @Test
  func anActivationThatInvalidatesAndThenThrowsLeavesTheObjectInvalidated() {
    let lifecycle = Lifecycle(label: "Test")
    #expect(throws: Failure(number: 7)) {
      try lifecycle.activate { () throws(Failure) in
        lifecycle.invalidate()
        throw Failure(number: 7)
      }
    }
    #expect(lifecycle.state == .invalidated)
    #expect(!lifecycle.activate())
  }

  @Test
  func theBodyOfInvalidateMayCallItsLifecycle() {
    let lifecycle = activeLifecycle()
    let isFirst = lifecycle.invalidate {
      #expect(!lifecycle.invalidate())
      #expect(!lifecycle.activate())
      #expect(lifecycle.whileActive { 1 } == nil)
    }
    #expect(isFirst)
  }

  // MARK: All sequences

  /// A call on a lifecycle, such as `activate` with a body that throws.
  private enum Step: CaseIterable {
    case activate, activateThrowing, activateInvalidating, deliver, deliverInvalidating, deliverThrowing,
      invalidate
  }

  /// The expected state, and how many bodies of `activate`, `whileActive` and `invalidate` are expected to
  /// have run.
  private struct Model: Equatable {
    var state = Lifecycle.State.inactive
    var activations = 0
    var deliveries = 0
    var invalidations = 0
    /// How many calls of `activate` and `invalidate` have returned that they acted.
    var results = 0

    mutating func apply(_ step: Step) {
      switch (step, state) {
      case (.activate, .inactive):
        activations += 1
        results += 1
        state = .active
      case (.activateThrowing, .inactive):
        activations += 1
      case (.activateInvalidating, .inactive):
        activations += 1
        invalidations += 1
        results += 2
        state = .invalidated
      case (.deliver, .active), (.deliverThrowing, .active):
        deliveries += 1
      case (.deliverInvalidating, .active):
        deliveries += 1
        invalidations += 1
        results += 1
        state = .invalidated
      case (.invalidate, .inactive), (.invalidate, .active):
        invalidations += 1
        results += 1
        state = .invalidated
      default:
        break
      }
    }
  }

  private func perform(_ step: Step, _ lifecycle: Lifecycle, _ counts: Unguarded<Model>) {
    func invalidate() {
      if lifecycle.invalidate({ counts.value.invalidations += 1 }) { counts.value.results += 1 }
    }
    switch step {
    case .activate:
      if lifecycle.activate({ counts.value.activations += 1 }) { counts.value.results += 1 }
    case .activateThrowing:
      do throws(Failure) {
        try lifecycle.activate { () throws(Failure) in
          counts.value.activations += 1
          throw Failure(number: 0)
        }
      } catch {}
    case .activateInvalidating:
      let isFirst = lifecycle.activate {
        counts.value.activations += 1
        invalidate()
      }
      if isFirst { counts.value.results += 1 }
    case .deliver:
      lifecycle.whileActive { counts.value.deliveries += 1 }
    case .deliverThrowing:
      do throws(Failure) {
        try lifecycle.whileActive { () throws(Failure) in
          counts.value.deliveries += 1
          throw Failure(number: 0)
        }
      } catch {}
    case .deliverInvalidating:
      lifecycle.whileActive {
        counts.value.deliveries += 1
        invalidate()
      }
    case .invalidate:
      invalidate()
    }
    counts.value.state = lifecycle.state
  }

  @Test("every sequence of five calls on one thread")
  func everySequence() {
    let length = 5
    let steps = Step.allCases
    var differing: [[Step]] = []
    for number in 0..<(0..<length).reduce(1, { power, _ in power * steps.count }) {
      var rest = number
      let sequence = (0..<length).map { _ in
        defer { rest /= steps.count }
        return steps[rest % steps.count]
      }
      let lifecycle = Lifecycle(label: "Test")
      let counts = Unguarded(Model())
      var model = Model()
      for step in sequence {
        perform(step, lifecycle, counts)
        model.apply(step)
        if counts.value != model {
          differing.append(sequence)
          break
        }
      }
      lifecycle.invalidate()
    }
    #expect(differing.isEmpty)
  }
}
