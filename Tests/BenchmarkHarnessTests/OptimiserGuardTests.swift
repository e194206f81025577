internal import BenchmarkHarness
internal import Testing

@Suite("Optimiser guard")
struct OptimiserGuardTests {
  @Test("A loop that does its operations is measured with the shortest batch that is long enough")
  func honest() {
    let check = OptimiserGuard { UInt64($0) * 1_000 }
    #expect(check.growth == 4)
    #expect(check.times == 16)
    #expect(check.nanoseconds == 16_000)
    #expect(OptimiserGuard.complaint(about: check.growth) == nil)
  }

  @Test("A loop without operations always takes as long")
  func empty() {
    let check = OptimiserGuard { _ in 50 }
    #expect(check.growth == 1)
    #expect(
      OptimiserGuard.complaint(about: check.growth)
        == "4 times the operations take 1.00 times as long: the optimiser has left operations out")
  }

  @Test("A try that something else has disturbed is repeated")
  func disturbed() {
    var calls = 0
    let check = OptimiserGuard { times in
      calls += 1
      // Other work delays the first short batch, so that it takes even longer than the long batch.
      return UInt64(times) * 20_000 + (calls == 1 ? 80_000 : 0)
    }
    #expect(check.growth == 4)
    #expect(check.nanoseconds == 20_000)
  }

  @Test("Where every batch is held up, they are made longer until that vanishes")
  func heldUp() {
    let check = OptimiserGuard { 100_000 + UInt64($0) * 10_000 }
    #expect(check.times > 1)
    #expect(OptimiserGuard.complaint(about: check.growth) == nil)
  }

  @Test("A batch that was long enough only because something else has disturbed it is made longer")
  func disturbedWhileShort() {
    var calls = 0
    let check = OptimiserGuard { times in
      calls += 1
      // Each batch takes 500 ns to read the clock, and 10 ns per operation. Other work delays the first
      // batch by 1 ms, so that it wrongly seems long enough.
      return 500 + UInt64(times) * 10 + (calls == 1 ? 1_000_000 : 0)
    }
    #expect(check.nanoseconds >= 10_000)
    #expect(OptimiserGuard.complaint(about: check.growth) == nil)
  }
}
