internal import BenchmarkHarness

extension Suite {
  /// The same code under two names: what they differ by is noise.
  static var selfCheck: Suite {
    Suite(
      name: NoiseFloor.suite,
      about: "two identical contestants, whose difference is the noise of this machine today",
      reading:
        "The ratios should be 1. What they differ from it by is the noise floor: nobody should draw"
        + " conclusions"
        + " from smaller differences anywhere else.",
      contests: [
        alone("a stored field, read") { PropertyTrial(StoredField()).contestant(named: $0, .read) },
        alone("a Mutex, written") { PropertyTrial(MutexField()).contestant(named: $0, .write) },
        contest("2 threads", "an UnfairLock, written", .throughput, threads: 2) {
          LockTrial(BehindUnfairLock(), threads: 2, mix: ReadWriteMix(reads: 0))
            .contestant(named: $0, measuresWaits: false)
        },
      ])
  }

  private static func alone(_ title: String, _ make: (String) -> Contestant) -> Contest {
    contest("1 thread", title, .cost, threads: 1, make)
  }

  private static func contest(
    _ group: String, _ title: String, _ metric: Metric, threads: Int, _ make: (String) -> Contestant
  ) -> Contest {
    Contest(
      group: group, title: title, metric: metric, threads: threads, operationUnit: 100, reference: "one",
      contestants: [make("one"), make("the same again")])
  }
}
