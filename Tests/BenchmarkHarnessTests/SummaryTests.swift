@testable import BenchmarkHarness
internal import Testing

@Suite("Summary")
struct SummaryTests {
  @Test("An odd number of figures: the one in the middle")
  func oddCount() throws {
    let summary = try #require(Summary([6, 2, 5, 3, 4]))
    #expect(summary.median == 4)
    #expect(summary.lowerQuartile == 3)
    #expect(summary.upperQuartile == 5)
    #expect(summary.halfWidth == 1)
    #expect(summary.spread == 25)
  }

  @Test("An even number of figures: between the two in the middle")
  func evenCount() throws {
    let summary = try #require(Summary([10, 40, 20, 30]))
    #expect(summary.median == 25)
    // The quartiles are at the positions 0.75 and 2.25, counted from 0, in 10, 20, 30, 40.
    #expect(summary.lowerQuartile == 17.5)
    #expect(summary.upperQuartile == 32.5)
    #expect(summary.spread == 30)
  }

  @Test("One figure lies apart from nothing")
  func oneFigure() throws {
    let summary = try #require(Summary([7]))
    #expect(summary.median == 7)
    #expect(summary.halfWidth == 0)
    #expect(summary.spread == 0)
  }

  @Test("No figures and no numbers have no summary; a median of 0 has no spread in percent")
  func degenerate() throws {
    #expect(Summary([]) == nil)
    #expect(Summary([1, .nan]) == nil)
    #expect(Summary([1, .infinity]) == nil)
    #expect(try #require(Summary([-1, 0, 1])).spread == nil)
  }

  @Test("Ratios are of the same round, not of the medians")
  func pairedRatios() throws {
    // In the second round, the machine was ten times slower, and so both figures are ten times as great.
    let ratios = try #require(Summary.ofRatios([2, 20, 6], over: [1, 10, 2]))
    #expect(ratios.median == 2)
    #expect(ratios.upperQuartile == 2.5)
    #expect(Summary.ofRatios([1, 2], over: [1]) == nil)
    #expect(Summary.ofRatios([], over: []) == nil)
    #expect(Summary.ofRatios([1], over: [0]) == nil)
  }

  @Test("Differences are of the same round")
  func pairedDifferences() throws {
    let differences = try #require(Summary.ofDifferences([12, 110, 13], minus: [10, 109, 10]))
    #expect(differences.median == 2)
    #expect(Summary.ofDifferences([1], minus: []) == nil)
  }
}
