internal import BenchmarkHarness
internal import Protectors

extension Suite {
  /// Measures the same code under two names, so that any difference between them is noise.
  static var selfCheck: Suite {
    Suite(
      name: NoiseFloor.suite,
      about: "two identical contestants, whose difference is the noise of this machine today",
      reading:
        "The ratios should be 1. What they differ from it by is the noise floor, for each number of threads"
        + " and each kind of contest: nobody should draw conclusions from smaller differences anywhere else.",
      contests: [
        alone("a stored field, read") { PropertyTrial(StoredField()).contestant(named: $0, .read) },
        alone("a Mutex, written") { PropertyTrial(MutexField()).contestant(named: $0, .write) },
      ] + [2, 4, 8, 16, 64].flatMap(together) + [identicalQueues, identicalTimeouts])
  }

  private static func alone(_ title: String, _ make: (String) -> Contestant) -> Contest {
    contest("1 thread", title, .cost, threads: 1, make)
  }

  /// Makes the contests that measure the noise with `threads` threads.
  ///
  /// The results give the noise floor for the contests of other suites that have as many threads.
  private static func together(threads: Int) -> [Contest] {
    func contest(
      _ title: String, _ reads: Int, _ make: () -> some GuardedInteger & ~Copyable
    ) -> Contest {
      self.contest(lockGroup(threads: threads), title, .throughput, threads: threads) {
        LockTrial(make(), threads: threads, mix: ReadWriteMix(reads: reads))
          .contestant(named: $0, measuresWaits: false)
      }
    }
    return [
      contest("an UnfairLock, written", 0) { BehindUnfairLock() },
      contest("a Protector, 99 % reads", 99) { BehindProtector(Protector(0)) },
    ]
  }

  private static var identicalQueues: Contest {
    contest("hand-offs", "a queue, 4 to 4", .handOffs, threads: 1, unit: 4_000) {
      HandOffTrial.queue($0, QueueOfProtector(Protector(Ring())), pairs: 4)
    }
  }

  private static var identicalTimeouts: Contest {
    contest("waits", "a timeout, 3 threads write", .waits, threads: 4, unit: 1_000) {
      TimeoutTrial.contestant($0, NumberOfPthread())
    }
  }

  private static func contest(
    _ group: String, _ title: String, _ metric: Metric, threads: Int, unit: Int = 100,
    _ make: (String) -> Contestant
  ) -> Contest {
    Contest(
      group: group, title: title, metric: metric, threads: threads, operationUnit: unit, reference: "one",
      contestants: [make("one"), make("the same again")],
      leastEffort: threads == 4 || threads > 16 ? .full : .quick)
  }
}
