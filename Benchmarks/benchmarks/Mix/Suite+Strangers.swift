internal import BenchmarkHarness
internal import Protectors
internal import ReadWriteLocks

// The suites in this file measure effects between unrelated threads: idle threads, threads that each have a
// lock of their own, and a thread without locks.

extension Suite {
  // MARK: Idle threads

  static var crowd: Suite {
    Suite(
      name: "crowd",
      about: "a lock that two threads use, among threads that read another one once and have slept since",
      contests: [0, 64, 512, 2_000].flatMap { idle in
        crowdMixes.map { title, mix in
          // Making a crowd starts no threads: they start with the first batch, and live until the run ends.
          let crowd = Crowd(threads: idle)
          func contestant(_ name: String, _ subject: consuming some GuardedInteger & ~Copyable) -> Contestant
          {
            let contestant = LockTrial(subject, threads: 2, mix: mix).contestant(
              named: name, measuresWaits: false)
            return Contestant(
              name: name,
              batch: { worker, count in
                if worker == 0 { crowd.gather() }
                return contestant.batch(worker, count)
              }, audit: contestant.audit)
          }
          return Contest(
            group: crowdGroup(idle: idle), title: title, metric: .throughput, threads: 2,
            operationUnit: mix.period, reference: LockName.compactProtector,
            contestants: [
              contestant(LockName.protector, BehindProtector(Protector(0))),
              contestant(
                LockName.compactProtector, BehindProtector(LockProtector(0, lock: CompactReadWriteLock()))),
            ], leastEffort: idle == 0 || idle == 2_000 ? .quick : .full)
        }
      })
  }

  static func crowdGroup(idle: Int) -> String { "\(idle) idle threads" }

  static let crowdMixes: KeyValuePairs = [
    "99.8 %": ReadWriteMix(reads: 998, of: 1_000),
    "99 %": ReadWriteMix(reads: 99),
  ]

  // MARK: Own locks

  static var ownLocks: Suite {
    Suite(
      name: "own locks",
      about: "two threads, each with a lock of its own",
      contests: readWriteMixes.map { title, mix in
        Contest(
          group: lockGroup(threads: 2), title: title, metric: .throughput, threads: 2,
          operationUnit: mix.period,
          reference: LockName.compactProtector,
          contestants: [
            ownLockContestant(LockName.protector, mix) { BehindProtector(Protector(0)) },
            ownLockContestant(LockName.compactProtector, mix) {
              BehindProtector(LockProtector(0, lock: CompactReadWriteLock()))
            },
          ])
      })
  }

  private static func ownLockContestant<Subject: GuardedInteger & ~Copyable>(
    _ name: String, _ mix: ReadWriteMix, _ make: () -> Subject
  ) -> Contestant {
    let trials = (0..<2).map { _ in
      LockTrial(make(), threads: 2, mix: mix).contestant(named: name, measuresWaits: false)
    }
    return Contestant(
      name: name, batch: { worker, count in trials[worker].batch(worker, count) },
      audit: { trials.lazy.compactMap { $0.audit() }.first })
  }

  // MARK: A bystander

  static let bystanderTitle = "a calculation"

  static var bystander: Suite {
    func contestant(_ name: String, _ subject: consuming some GuardedInteger & ~Copyable) -> Contestant {
      BystanderTrial(subject).contestant(named: name)
    }
    return Suite(
      name: "bystander",
      about: "a thread that uses no lock, beside one that writes a lock of its own once in 500 reads",
      contests: [
        Contest(
          group: "2 threads", title: bystanderTitle, metric: .throughput, threads: 2, attendants: 1,
          operationUnit: 1_000, reference: LockName.none,
          contestants: [
            contestant(LockName.protector, BehindProtector(Protector(0))),
            contestant(
              LockName.compactProtector, BehindProtector(LockProtector(0, lock: CompactReadWriteLock()))),
            contestant(LockName.none, Unguarded()),
          ])
      ])
  }
}
