import Foundation
import LockSupport
import TestSupport
import Testing
import ThreadSupport

@Suite struct TicksTests {
  /// `Ticks.since` subtracts the time that a reading of the clock takes.
  ///
  /// A measured duration must be positive, and at most the difference of two readings.
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
