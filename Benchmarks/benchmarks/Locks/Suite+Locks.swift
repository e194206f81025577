internal import BenchmarkHarness
internal import Protectors
internal import ReadWriteLocks

extension Suite {
  /// What a lock costs while nobody else wants it, and what is left of it when others do.
  static var locks: Suite {
    Suite(
      name: "locks", about: "an integer behind each lock, read and incremented",
      contests: uncontendedLocks + [2, 4, 16].flatMap(contendedLocks))
  }

  /// The group of the contests of `threads` threads.
  static func lockGroup(threads: Int) -> String {
    threads == 1 ? "uncontended" : "\(threads) threads"
  }

  /// The title of a contest in which `reads` percent of the operations are reads.
  static func lockTitle(reads: Int) -> String {
    "\(reads) % reads"
  }

  private static var uncontendedLocks: [Contest] {
    [("read", 100), ("write", 0)].map { title, reads in
      Contest(
        group: lockGroup(threads: 1), title: title, metric: .cost, threads: 1, operationUnit: 100,
        reference: LockName.mutex, contestants: locks(threads: 1, reads: reads))
    }
  }

  private static func contendedLocks(threads: Int) -> [Contest] {
    [100, 99, 90, 50, 0].map { reads in
      Contest(
        group: lockGroup(threads: threads), title: lockTitle(reads: reads), metric: .throughput,
        threads: threads, operationUnit: 100, reference: LockName.mutex,
        contestants: locks(threads: threads, reads: reads),
        // Where a lock is most likely to let a thread starve.
        seeksStarvation: threads == 16 && reads == 0)
    }
  }

  private static func locks(threads: Int, reads: Int) -> [Contestant] {
    let mix = ReadWriteMix(reads: reads)
    func contestant(_ name: String, _ subject: consuming some GuardedInteger & ~Copyable) -> Contestant {
      LockTrial(subject, threads: threads, mix: mix).contestant(named: name)
    }
    let all = [
      contestant(LockName.unfair, BehindUnfairLock()),
      contestant(LockName.biased, BehindReadWriteLock(BiasedReadWriteLock())),
      contestant(LockName.compact, BehindReadWriteLock(CompactReadWriteLock())),
      contestant(LockName.spin, BehindReadWriteLock(SpinReadWriteLock())),
      contestant(LockName.posix, BehindReadWriteLock(PosixReadWriteLock())),
      contestant(LockName.dispatch, BehindReadWriteLock(DispatchReadWriteLock())),
      contestant(LockName.protector, BehindProtector(Protector(0))),
      contestant(
        LockName.compactProtector, BehindProtector(LockProtector(0, lock: CompactReadWriteLock()))),
      contestant(LockName.mutex, BehindMutex()),
      contestant(LockName.pthreadMutex, BehindPthreadMutex()),
      contestant(LockName.pthreadReadWrite, BehindPthreadReadWriteLock()),
      contestant(LockName.nsLock, BehindNSLock()),
      contestant(LockName.serialQueue, BehindSerialQueue()),
      contestant(LockName.concurrentQueue, BehindConcurrentQueue()),
    ]
    // Threads that write without a lock would race.
    return threads == 1 || reads == 100 ? all + [contestant(LockName.none, Unguarded())] : all
  }
}
