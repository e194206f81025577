import Foundation
import InterlockCore
import Testing

@Suite struct ProcessorsTests {
  @Test func allActiveProcessorsAreCounted() {
    #expect(Processors.count == ProcessInfo.processInfo.activeProcessorCount)
  }
}
