internal import BenchmarkHarness
internal import Protectors
internal import ReadWriteLocks

extension Suite {
  /// Measures locks, both uncontended and contended.
  static var locks: Suite {
    Suite(
      name: "locks", about: "an integer behind each lock, read and incremented",
      reading:
        "Threads do nothing between their operations, which no program does: this is the worst case. Reads of"
        + " read/write locks pay off when sections are long or processors many. With more threads than"
        + " processors, what"
        + " counts is who gets the processor: look at fairness, longest wait and processor time as well."
        + " The locks of the system's libraries are called, and nobody can inline them; compare those with"
        + " the rows of this package's locks that are called as well.",
      contests: uncontendedLocks + [2, 4, 16, 64].flatMap(contendedLocks) + longSections)
  }

  /// The title of the results table for `threads` threads.
  static func lockGroup(threads: Int) -> String {
    threads == 1 ? "uncontended" : "\(threads) threads"
  }

  /// The title of the results column for `reads` percent reads.
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
    let isCrowd = threads > 16
    // Contests of 4 threads add little to those of 2 and 16 threads, so they run only with `--full`, as do
    // contests of more than 16 threads.
    let leastEffort: Options.Effort = isCrowd || threads == 4 ? .full : .quick
    return (isCrowd ? [100, 90, 0] : [100, 99, 90, 50, 0]).map { reads in
      // A lock is most likely to starve a thread if many threads only write.
      let seeksStarvation = threads == 16 && reads == 0
      return Contest(
        group: lockGroup(threads: threads), title: lockTitle(reads: reads), metric: .throughput,
        threads: threads, operationUnit: 100, reference: LockName.mutex,
        contestants: locks(
          threads: threads, reads: reads, measuringWaitsOf: seeksStarvation ? starving : nil),
        seeksStarvation: seeksStarvation, leastEffort: leastEffort)
    }
  }

  /// The names of the locks whose waits are measured in the contest that looks for starvation.
  ///
  /// Other locks are left out, because each lock needs a round of a second or more, except with `--quick`.
  private static let starving: Set = [
    LockName.unfair, LockName.biased, LockName.compact, LockName.protector, LockName.mutex,
    LockName.pthreadMutex, LockName.pthreadReadWrite, LockName.nsLock,
  ]

  /// Makes the contestants of a `Contest` of locks.
  ///
  /// - Parameters:
  ///   - threads: The number of threads.
  ///   - reads: The percentage of reads.
  ///   - measured: The names of the locks whose longest wait is measured; `nil` for all.
  private static func locks(
    threads: Int, reads: Int, measuringWaitsOf measured: Set<String>? = nil
  ) -> [Contestant] {
    let mix = ReadWriteMix(reads: reads)
    func contestant(
      _ name: String, _ subject: consuming some GuardedInteger & ~Copyable, measuresWaits: Bool? = nil
    ) -> Contestant {
      LockTrial(subject, threads: threads, mix: mix).contestant(
        named: name, measuresWaits: measuresWaits ?? measured?.contains(name) ?? true)
    }
    /// Makes a `Contestant` whose lock is called instead of inlined (see `Called`).
    ///
    /// Its waits are not measured, because they hardly differ from those of the inlined lock.
    func called(_ name: String, _ subject: consuming some GuardedInteger & ~Copyable) -> Contestant {
      contestant(LockName.called(name), Called(subject), measuresWaits: false)
    }
    let inlined = [
      contestant(LockName.unfair, BehindUnfairLock()),
      contestant(LockName.biased, BehindReadWriteLock(BiasedReadWriteLock())),
      contestant(LockName.compact, BehindReadWriteLock(CompactReadWriteLock())),
      contestant(LockName.spin, BehindReadWriteLock(SpinReadWriteLock())),
      contestant(LockName.protector, BehindProtector(Protector(0))),
      contestant(
        LockName.compactProtector, BehindProtector(LockProtector(0, lock: CompactReadWriteLock()))),
      contestant(LockName.mutex, BehindMutex()),
    ]
    // Without a lock, several threads that write would race, so `Unguarded` takes part only with one thread,
    // or with threads that only read.
    let unlocked = threads == 1 || reads == 100 ? [contestant(LockName.none, Unguarded())] : []
    let outOfLine = [
      called(LockName.unfair, BehindUnfairLock()),
      called(LockName.compact, BehindReadWriteLock(CompactReadWriteLock())),
      called(LockName.protector, BehindProtector(Protector(0))),
      contestant(LockName.posix, BehindReadWriteLock(PosixReadWriteLock())),
      contestant(LockName.dispatch, BehindReadWriteLock(DispatchReadWriteLock())),
      contestant(LockName.pthreadMutex, BehindPthreadMutex()),
      contestant(LockName.pthreadReadWrite, BehindPthreadReadWriteLock()),
      contestant(LockName.nsLock, BehindNSLock()),
      contestant(LockName.serialQueue, BehindSerialQueue()),
      contestant(LockName.concurrentQueue, BehindConcurrentQueue()),
    ]
    return (inlined + unlocked).map { $0.listed(under: .inlined) }
      + outOfLine.map { $0.listed(under: .called) }
  }

  // MARK: Sections that take a while

  private static var longSections: [Contest] {
    KeyValuePairs(dictionaryLiteral: ("100 ns", 100), ("1 µs", 1_000), ("10 µs", 10_000)).flatMap {
      length, nanoseconds in
      [2, 16, 64].flatMap { threads in
        [90, 0].map { reads in
          Contest(
            group: "\(lockGroup(threads: threads)), sections of \(length)",
            title: "\(lockTitle(reads: reads)), \(length)",
            metric: .throughput, threads: threads, operationUnit: 10, reference: LockName.mutex,
            contestants: longSections(threads: threads, reads: reads, nanoseconds), leastEffort: .full)
        }
      }
    }
  }

  private static func longSections(threads: Int, reads: Int, _ nanoseconds: Int) -> [Contestant] {
    let mix = ReadWriteMix(reads: reads / 10, of: 10)
    let section = SectionWork(nanoseconds: nanoseconds)
    func contestant(_ name: String, _ subject: consuming some GuardedInteger & ~Copyable) -> Contestant {
      LockTrial(subject, threads: threads, mix: mix, section: section).contestant(named: name)
    }
    return [
      contestant(LockName.unfair, BehindUnfairLock()),
      contestant(LockName.compact, BehindReadWriteLock(CompactReadWriteLock())),
      contestant(LockName.protector, BehindProtector(Protector(0))),
      contestant(LockName.mutex, BehindMutex()),
      contestant(LockName.pthreadMutex, BehindPthreadMutex()),
      contestant(LockName.pthreadReadWrite, BehindPthreadReadWriteLock()),
      contestant(LockName.nsLock, BehindNSLock()),
      contestant(LockName.serialQueue, BehindSerialQueue()),
    ]
  }
}
