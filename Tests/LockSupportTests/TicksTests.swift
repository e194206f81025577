import Foundation
import LockSupport
import TestSupport
import Testing
import ThreadSupport

@Suite struct TicksTests {
  /// The time of a reading is left out of durations, so it must be far below what they measure.
  @Test func ticksExcludeTheTimeOfAReading() {
    let start = Ticks.now
    MonotonicClock.sleep(.milliseconds(1))
    let ticks = Ticks.since(start)
    #expect(ticks > 0 && ticks <= Float(Ticks.now - start))
  }
}

@Suite struct ProcessorsTests {
  @Test func allActiveProcessorsAreCounted() {
    #expect(Processors.count == ProcessInfo.processInfo.activeProcessorCount)
  }
}
