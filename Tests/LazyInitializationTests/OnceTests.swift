import LazyInitialization
import TestSupport
import Testing

@Suite struct OnceTests {
  // With the trait `DeadlockDetection`, a `Once` is larger, because it contains a probe for the detector.
  #if !DeadlockDetection
    @Test func itTakesFourBytes() {
      #expect(MemoryLayout<Once>.size == 4)
    }
  #endif

  @Test func oneBodyRuns() {
    let once = Once()
    var runs = 0
    let isCompletedBefore = once.isComplete
    for _ in 0..<3 {
      once.run { runs += 1 }
    }
    let isCompleted = once.isComplete
    #expect(!isCompletedBefore)
    #expect(isCompleted)
    #expect(runs == 1)
  }

  @Test func itIsNotCompletedWhileTheBodyRuns() {
    let once = Once()
    once.run {
      let isCompletedHere = once.isComplete
      let isCompletedElsewhere = onAnotherThread { once.isComplete }
      #expect(!isCompletedHere)
      #expect(!isCompletedElsewhere)
    }
  }

  @Test func differentOncesNest() {
    let outer = Once()
    let inner = Once()
    var steps: [String] = []
    outer.run {
      inner.run { steps.append("inner") }
      steps.append("outer")
    }
    #expect(steps == ["inner", "outer"])
  }
}
