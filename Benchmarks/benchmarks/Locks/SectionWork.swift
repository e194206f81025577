internal import BenchmarkHarness

/// What a thread does inside a section to stay there for a while: steps of a calculation of which each needs
/// the last.
struct SectionWork: Sendable {
  /// Nothing: the section is as short as it can be.
  static let none = SectionWork(steps: 0)

  let steps: Int

  /// Steps that take about so many nanoseconds on this machine.
  init(nanoseconds: Int) {
    steps = max(1, Int(Double(nanoseconds) * Self.stepsPerNanosecond))
  }

  init(steps: Int) {
    self.steps = steps
  }

  /// Takes the steps; who does not use the result may find that the optimiser has left them out.
  @inline(__always)
  func run(from start: Int) -> Int {
    var value = UInt64(truncatingIfNeeded: start)
    for _ in 0..<steps {
      // A multiplication of which the next one needs the result (Knuth's linear congruential generator).
      value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    }
    return Int(truncatingIfNeeded: value)
  }

  /// The speed of this machine, by the shortest of some tries.
  private static let stepsPerNanosecond: Double = {
    let trial = SectionWork(steps: 100_000)
    var shortest = UInt64.max
    var sum = 0
    for _ in 0..<5 {
      let start = SystemInstruments.now()
      sum &+= trial.run(from: sum)
      shortest = min(shortest, SystemInstruments.now() - start)
    }
    // The sum is needed, for all that the optimiser knows.
    return Double(trial.steps) / Double(max(1, sum == .min ? 1 : shortest))
  }()
}
