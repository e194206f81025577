import TestSupport
import Testing
import ViewModels

/// Tests `LockHolds`, a histogram of the hold times of a row model's lock.
@MainActor
@Suite struct LockHoldsTests {
  @Test func holdsAreMeasuredOnlyOnRequest() {
    let model = RowsViewModel(.testing())
    model.apply(.insert("a", .index(0)))
    #expect(model.statistics.lockHolds == nil)
  }

  @Test(arguments: [RowsStrategy.array, .tree, .delta])
  func eachSectionIsMeasured(strategy: RowsStrategy) throws {
    let model = RowsViewModel(.testing(strategy) { $0.measuresLockHolds = true })
    let before = try #require(model.statistics.lockHolds).count
    for _ in 0..<100 { model.apply(.insert("a", .index(0))) }
    let holds = try #require(model.statistics.lockHolds)
    #expect(holds.count == before + 100)
    #expect(holds.quantile(0.5) <= holds.quantile(0.99) && holds.quantile(0.99) <= holds.longest)
    #expect(holds.quantile(1) == holds.longest && holds.longest > 0)
  }

  @Test(
    "a quantile is the greatest time of its bucket",
    arguments: [(0, 0), (7, 7), (8, 8), (15, 15), (16, 17), (17, 17), (30, 31), (32, 35), (1_024, 1_151)])
  func greatestOfBucket(time: Int, greatest: Int) {
    var holds = LockHolds()
    holds.record(time)
    #expect(holds.quantile(0.5) == time, "no quantile is above the longest time")
    holds.record(1 << 20)
    #expect(holds.quantile(0.5) == greatest)
  }

  /// An estimated quantile must be at least the exact one, and at most an eighth greater.
  @Test func quantilesAreWithinAnEighth() {
    var random = Seed.current.generator(stream: 3)
    var holds = LockHolds()
    #expect(holds.quantile(0.5) == 0)
    let times = (0..<5_000).map { _ in Int(random.next() >> (24 + random.next() % 39)) }
    for time in times { holds.record(time) }
    let sorted = times.sorted()
    for part in [0.01, 0.5, 0.9, 0.99, 1] {
      let exact = sorted[max(0, Int((Double(sorted.count) * part).rounded(.up)) - 1)]
      let found = holds.quantile(part)
      #expect(found >= exact && Double(found) <= Double(exact) * 1.125 + 1, "\(part), \(Seed.current)")
    }
    #expect(holds.longest == sorted.last && holds.count == 5_000)
  }
}
