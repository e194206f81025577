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
