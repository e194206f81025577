internal import BenchmarkHarness
internal import Protectors

extension Suite {
  static var all: [Suite] {
    [
      selfCheck, property, locks, mix, waits, once, atomicProperties, lifecycle, tasks, asyncWork, snapshots,
      memory,
    ]
  }
}

extension Target {
  /// All claims of the project about performance; the figures of a run confirm or refute them.
  static var all: [Target] {
    locks + mix + waits + once + atomicProperties + lifecycle + tasks + asyncWork + snapshots
  }

  /// A claim about the ratio of a contestant's figures to those of the best of others, in one contest.
  static func ratio(
    _ claim: String, in contest: (suite: String, group: String, title: String), _ name: String,
    over others: [String], _ bound: Bound
  ) -> Target {
    func path(_ name: String) -> Path { Path(contest.suite, contest.group, contest.title, name) }
    return Target(claim, .ratio(path(name), over: others.map(path)), bound)
  }
}

extension Suite {
  /// Measures the same code under two names, so that any difference between them is noise.
  ///
  /// The contests give the noise floors for the contests of other suites that have as many threads.
  static var selfCheck: Suite {
    Suite(
      name: NoiseFloor.suite,
      about: "two identical contestants, whose difference is the noise of this machine today",
      reading:
        "The ratios should be 1. What they differ from it by is the noise floor, for each number of threads"
        + " and each kind of contest: nobody should draw conclusions from smaller differences anywhere else."
        + " What an increment of an atomic takes says of which kind the machine is: alone, how much an exchange"
        + " costs; with 2 threads, how much a line that travels between processors does.",
      contests: [
        identical("1 thread", "a stored field, read", .cost) {
          PropertyTrial(StoredField()).contestant($0, .read)
        },
        identical("1 thread", "a Mutex, written", .cost) {
          PropertyTrial(MutexField()).contestant($0, .write)
        },
        increments(threads: 1, .cost), increments(threads: 2, .throughput),
      ]
        + [2, 4, 8, 16, 64].flatMap { threads in
          [
            identical("\(threads) threads", "an UnfairLock, written", .throughput, threads: threads) {
              LockTrial(BehindLock(UnfairLock()), threads: threads, mix: ReadWriteMix(reads: 0))
                .contestant($0)
            },
            identical("\(threads) threads", "a Protector, 99 % reads", .throughput, threads: threads) {
              LockTrial(BehindProtector(), threads: threads, mix: ReadWriteMix(reads: 99)).contestant($0)
            },
          ]
        } + [
          identical("hand-offs", "a queue, 4 to 4", .handOffs, unit: 4_000) {
            HandOffTrial.queue($0, QueueOfProtector(), pairs: 4)
          },
          identical("waits", "a timeout, 3 threads write", .waits, threads: 4, unit: 1_000) {
            TimeoutTrial.contestant($0, NumberOfPthread())
          },
        ])
  }

  private static func increments(threads: Int, _ metric: Metric) -> Contest {
    identical(threads == 1 ? "1 thread" : "2 threads", "an atomic, incremented", metric, threads: threads) {
      LockTrial(AtomicInteger(), threads: threads, mix: ReadWriteMix(reads: 0)).contestant($0)
    }
  }

  private static func identical(
    _ group: String, _ title: String, _ metric: Metric, threads: Int = 1, unit: Int = 100,
    _ make: (String) -> Contestant
  ) -> Contest {
    Contest(
      group: group, title: title, metric: metric, threads: threads, operationUnit: unit, reference: "one",
      contestants: [make("one"), make("the same again")],
      leastEffort: metric == .throughput && (threads == 4 || threads > 16) ? .full : .quick)
  }
}
