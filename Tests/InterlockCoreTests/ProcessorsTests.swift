import Foundation
import InterlockCore
import Testing

@Suite struct ProcessorsTests {
  @Test func allActiveProcessorsAreCounted() {
    let process = ProcessInfo.processInfo
    // The `sysconf` of the tests may give another number.
    let given = process.environment["INTERLOCK_PROCESSORS"].flatMap(Int.init)
    #expect(Processors.count == given ?? process.activeProcessorCount)
  }
}
