internal import BenchmarkHarness
internal import Protectors
internal import ReadWriteLocks

/// Makes a contestant of a guarded integer, whatever its lock.
private protocol ContestantMaker {
  func make(_ name: String, _ subject: consuming some GuardedInteger & ~Copyable) -> Contestant
}

extension Suite {
  static var bias: Suite {
    Suite(
      name: "bias",
      about: "what a read costs behind the biased lock, as writes become frequent; accessors are called",
      contests: [1, 2, 16].flatMap(mixes) + [phases, writerWaits])
  }

  /// The mixes of reads and writes, by their titles.
  static let biasMixes: KeyValuePairs = [
    "100 %": ReadWriteMix(reads: 100),
    "99.99 %": ReadWriteMix(reads: 9_999, of: 10_000),
    "99.9 %": ReadWriteMix(reads: 9_990, of: 10_000),
    "99 %": ReadWriteMix(reads: 99),
    "90 %": ReadWriteMix(reads: 90),
    "50 %": ReadWriteMix(reads: 50),
    "0 %": ReadWriteMix(reads: 0),
  ]

  static let writeHeavyTitles = ["90 %", "50 %", "0 %"]

  private static func mixes(threads: Int) -> [Contest] {
    biasMixes.map { title, mix in
      Contest(
        group: lockGroup(threads: threads), title: title, metric: .throughput, threads: threads,
        operationUnit: mix.period, reference: LockName.pthreadReadWrite,
        contestants: contestants(MixMaker(threads: threads, mix: mix), unguarded: mix.writes == 0))
    }
  }

  private static var phases: Contest {
    Contest(
      group: "2 threads, in phases", title: "99.99 %, 50 %, 99.99 %", metric: .throughput, threads: 2,
      operationUnit: 3 * PhaseTrial<Unguarded>.phaseLength, reference: LockName.pthreadReadWrite,
      contestants: contestants(PhaseMaker(), unguarded: false))
  }

  private static var writerWaits: Contest {
    Contest(
      group: "a writer among 15 readers", title: "the writer", metric: .waits, threads: 16,
      operationUnit: 1_000,
      reference: LockName.pthreadReadWrite, contestants: contestants(WaitMaker(), unguarded: false))
  }

  private static func contestants(_ maker: some ContestantMaker, unguarded: Bool) -> [Contestant] {
    let all = [
      maker.make(LockName.protector, Called(BehindProtector(Protector(0)))),
      maker.make(LockName.compact, Called(BehindReadWriteLock(CompactReadWriteLock()))),
      maker.make(LockName.pthreadReadWrite, Called(BehindPthreadReadWriteLock())),
      maker.make(LockName.pthreadMutex, Called(BehindPthreadMutex())),
    ]
    return unguarded ? all + [maker.make(LockName.none, Called(Unguarded()))] : all
  }
}

private struct MixMaker: ContestantMaker {
  let threads: Int
  let mix: ReadWriteMix

  func make(_ name: String, _ subject: consuming some GuardedInteger & ~Copyable) -> Contestant {
    LockTrial(subject, threads: threads, mix: mix).contestant(named: name, measuresWaits: false)
  }
}

private struct PhaseMaker: ContestantMaker {
  func make(_ name: String, _ subject: consuming some GuardedInteger & ~Copyable) -> Contestant {
    PhaseTrial(subject).contestant(named: name)
  }
}

private struct WaitMaker: ContestantMaker {
  func make(_ name: String, _ subject: consuming some GuardedInteger & ~Copyable) -> Contestant {
    WriterWaitTrial(subject).contestant(named: name)
  }
}
