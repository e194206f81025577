internal import BenchmarkHarness
internal import Protectors
internal import ReadWriteLocks

/// Makes a `Contestant` from an integer that is guarded by any type of lock.
private protocol ContestantMaker {
  func make(_ name: String, _ subject: consuming some GuardedInteger & ~Copyable) -> Contestant
}

extension Suite {
  static var mix: Suite {
    Suite(
      name: "mix",
      about: "Protector against what one could take instead, as writes become frequent",
      reading:
        "Protector counts its readers or lets them publish themselves in slots, whichever it finds cheaper."
        + " The two contestants that are forced to do one of them show what it could have chosen; they are no"
        + " public types. All are inlined; the suite locks compares Protector with the locks that are"
        + " called.",
      contests: mixThreads.flatMap(mixes) + [phases, writerWaits])
  }

  static let mixThreads = [1, 2, 8]

  /// The mixes of reads and writes; each title is the share of reads.
  static let readWriteMixes: KeyValuePairs = [
    "100 %": ReadWriteMix(reads: 100),
    "99.99 %": ReadWriteMix(reads: 9_999, of: 10_000),
    "99.9 %": ReadWriteMix(reads: 9_990, of: 10_000),
    "99.5 %": ReadWriteMix(reads: 995, of: 1_000),
    "99 %": ReadWriteMix(reads: 99),
    "97 %": ReadWriteMix(reads: 97),
    "95 %": ReadWriteMix(reads: 95),
    "90 %": ReadWriteMix(reads: 90),
    "50 %": ReadWriteMix(reads: 50),
    "0 %": ReadWriteMix(reads: 0),
  ]

  private static func mixes(threads: Int) -> [Contest] {
    readWriteMixes.map { title, mix in
      let maker = MixMaker(threads: threads, mix: mix)
      return Contest(
        group: lockGroup(threads: threads), title: title, metric: .throughput, threads: threads,
        operationUnit: mix.period, reference: LockName.compactProtector,
        contestants: [
          maker.make(LockName.protector, BehindProtector(Protector(0))),
          maker.make(
            LockName.compactProtector, BehindProtector(LockProtector(0, lock: CompactReadWriteLock()))),
          maker.make(
            LockName.countedProtector,
            BehindProtector(LockProtector(0, lock: BiasedReadWriteLock(bias: .counted)))),
          maker.make(
            LockName.slotsProtector,
            BehindProtector(LockProtector(0, lock: BiasedReadWriteLock(bias: .slots)))),
          maker.make(LockName.unfair, BehindUnfairLock()),
          maker.make(LockName.mutex, BehindMutex()),
        ].map { $0.listed(under: .inlined) })
    }
  }

  private static var phases: Contest {
    Contest(
      group: "2 threads, in phases", title: "99.99 %, 50 %, 99.99 %", metric: .throughput, threads: 2,
      operationUnit: 3 * PhaseTrial<Unguarded>.phaseLength, reference: LockName.pthreadReadWrite,
      contestants: contestants(PhaseMaker()))
  }

  private static var writerWaits: Contest {
    Contest(
      group: "a writer among 15 readers", title: "the writer", metric: .waits, threads: 16,
      operationUnit: 1_000,
      reference: LockName.pthreadReadWrite, contestants: contestants(WaitMaker()))
  }

  private static func contestants(_ maker: some ContestantMaker) -> [Contestant] {
    [
      maker.make(LockName.protector, BehindProtector(Protector(0))),
      maker.make(LockName.compact, BehindReadWriteLock(CompactReadWriteLock())),
      maker.make(LockName.pthreadReadWrite, BehindPthreadReadWriteLock()),
      maker.make(LockName.pthreadMutex, BehindPthreadMutex()),
    ]
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
