internal import BenchmarkHarness

/// Work inside a critical section: steps of a calculation, each of which needs the result of the previous
/// step.
struct SectionWork: Sendable {
  /// No work, for a critical section that is as short as possible.
  static let none = SectionWork(steps: 0)

  let steps: Int

  /// Work that takes about `nanoseconds` on this machine; at least one step.
  init(nanoseconds: Int) {
    steps = max(1, Int(Double(nanoseconds) * Self.stepsPerNanosecond))
  }

  init(steps: Int) {
    self.steps = steps
  }

  /// Does the work, which calculates a number from `start`, and returns that number.
  ///
  /// The caller must use the result, or the optimiser may remove the work.
  @inline(__always)
  func run(from start: Int) -> Int {
    var value = UInt64(truncatingIfNeeded: start)
    for _ in 0..<steps {
      // Each multiplication needs the result of the previous one (Knuth's linear congruential generator).
      value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    }
    return Int(truncatingIfNeeded: value)
  }

  /// The number of steps that this machine does in a nanosecond, from the fastest of five measurements.
  private static let stepsPerNanosecond: Double = {
    let trial = SectionWork(steps: 100_000)
    var shortest = UInt64.max
    var sum = 0
    for _ in 0..<5 {
      let start = SystemInstruments.now()
      sum &+= trial.run(from: sum)
      shortest = min(shortest, SystemInstruments.now() - start)
    }
    // The result depends on the sum, so the optimiser can't remove the computation of the sum.
    return Double(trial.steps) / Double(max(1, sum == .min ? 1 : shortest))
  }()
}
