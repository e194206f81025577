internal import BenchmarkHarness
internal import Protectors
@_spi(Benchmarks) internal import ReadWriteLocks

/// The categories of locks: those whose code is inlined, and those whose code is called.
///
/// No claim about performance compares an inlined lock with a called one.
extension Category {
  static let inlined = Category("inlined", "the quick path is compiled into the loop")
  static let called = Category("called", "each operation calls a function that the compiler can't look into")
}

extension Suite {
  /// Measures locks, both uncontended and contended.
  static var locks: Suite {
    Suite(
      name: "locks", about: "an integer behind each lock, read and incremented",
      reading:
        "Threads do nothing between their operations, which no program does: this is the worst case. Reads of"
        + " read/write locks pay off when sections are long or processors many. With more threads than"
        + " processors, what counts is who gets the processor: look at fairness, longest wait and processor"
        + " time as well. The locks of the system's libraries are called, and nobody can inline them; compare"
        + " those with the rows of this package's locks that are called as well.",
      contests: [("read", 100), ("write", 0)].map { title, reads in
        Contest(
          group: lockGroup(threads: 1), title: title, metric: .cost, operationUnit: 100,
          reference: "Synchronization.Mutex", contestants: locks(threads: 1, reads: reads))
      } + [2, 4, 16, 64].flatMap(contendedLocks) + longSections)
  }

  /// The title of the results table for `threads` threads.
  static func lockGroup(threads: Int) -> String { threads == 1 ? "uncontended" : "\(threads) threads" }

  private static func contendedLocks(threads: Int) -> [Contest] {
    (threads > 16 ? [100, 90, 0] : [100, 99, 90, 50, 0]).map { reads in
      // A lock is most likely to starve a thread if many threads only write.
      let seeksStarvation = threads == 16 && reads == 0
      return Contest(
        group: lockGroup(threads: threads), title: "\(reads) % reads", metric: .throughput,
        threads: threads, operationUnit: 100, reference: "Synchronization.Mutex",
        contestants: locks(
          threads: threads, reads: reads, measuringWaitsOf: seeksStarvation ? starving : nil),
        seeksStarvation: seeksStarvation,
        // Four threads add little to two and sixteen.
        leastEffort: threads > 16 || threads == 4 ? .full : .quick)
    }
  }

  /// The locks whose waits are measured in the contest that looks for starvation.
  ///
  /// Other locks are left out, because each lock needs a round of a second or more, except with `--quick`.
  private static let starving: Set = [
    "UnfairLock", "BiasedReadWriteLock", "CompactReadWriteLock", "Protector", "Synchronization.Mutex",
    "pthread_mutex", "pthread_rwlock", "NSLock",
  ]

  /// Makes the contestants of a contest of locks.
  ///
  /// - Parameter measured: The names of the locks whose longest wait is measured; `nil` for all.
  private static func locks(
    threads: Int, reads: Int, measuringWaitsOf measured: Set<String>? = nil
  ) -> [Contestant] {
    func row(
      _ category: Category, _ name: String, _ subject: consuming some GuardedInteger & ~Copyable
    ) -> Contestant {
      // The waits of a lock that is called hardly differ from those of the inlined lock.
      let measuresWaits = measured?.contains(name) ?? !name.hasSuffix(", called")
      return LockTrial(subject, threads: threads, mix: ReadWriteMix(reads: reads))
        .contestant(name, measuresWaits: measuresWaits).listed(under: category)
    }
    // Without a lock, several threads that write would race.
    let unlocked = threads == 1 || reads == 100 ? [row(.inlined, "no lock at all", Unguarded())] : []
    return [
      row(.inlined, "UnfairLock", BehindLock(UnfairLock())),
      row(.inlined, "BiasedReadWriteLock", BehindReadWriteLock(BiasedReadWriteLock())),
      row(.inlined, "CompactReadWriteLock", BehindReadWriteLock(CompactReadWriteLock())),
      row(.inlined, "SpinReadWriteLock", BehindReadWriteLock(SpinReadWriteLock())),
      row(.inlined, "Protector", BehindProtector()),
      row(.inlined, "Protector on Compact", BehindProtector(on: CompactReadWriteLock())),
      row(.inlined, "Synchronization.Mutex", BehindMutex()),
    ] + unlocked + [
      row(.called, "UnfairLock, called", Called(BehindLock(UnfairLock()))),
      row(.called, "CompactReadWriteLock, called", Called(BehindReadWriteLock(CompactReadWriteLock()))),
      row(.called, "Protector, called", Called(BehindProtector())),
      row(.called, "PosixReadWriteLock", BehindReadWriteLock(PosixReadWriteLock())),
      row(.called, "DispatchReadWriteLock", BehindReadWriteLock(DispatchReadWriteLock())),
      row(.called, "pthread_mutex", BehindPthreadMutex()),
      row(.called, "pthread_rwlock", BehindPthreadReadWriteLock()),
      row(.called, "NSLock", BehindNSLock()),
      row(.called, "DispatchQueue.sync", BehindSerialQueue()),
      row(.called, "DispatchQueue barrier", BehindConcurrentQueue()),
    ]
  }

  /// Critical sections that take a while.
  private static var longSections: [Contest] {
    [("100 ns", 100), ("1 µs", 1_000), ("10 µs", 10_000)].flatMap { length, nanoseconds in
      [2, 16, 64].flatMap { threads in
        [90, 0].map { reads in
          func row(_ name: String, _ subject: consuming some GuardedInteger & ~Copyable) -> Contestant {
            LockTrial(
              subject, threads: threads, mix: ReadWriteMix(reads: reads / 10, of: 10),
              section: SectionWork(nanoseconds: nanoseconds)
            ).contestant(name, measuresWaits: true)
          }
          return Contest(
            group: "\(lockGroup(threads: threads)), sections of \(length)",
            title: "\(reads) % reads, \(length)", metric: .throughput, threads: threads, operationUnit: 10,
            reference: "Synchronization.Mutex",
            contestants: [
              row("UnfairLock", BehindLock(UnfairLock())),
              row("CompactReadWriteLock", BehindReadWriteLock(CompactReadWriteLock())),
              row("Protector", BehindProtector()),
              row("Synchronization.Mutex", BehindMutex()),
              row("pthread_mutex", BehindPthreadMutex()),
              row("pthread_rwlock", BehindPthreadReadWriteLock()),
              row("NSLock", BehindNSLock()),
              row("DispatchQueue.sync", BehindSerialQueue()),
            ], leastEffort: .full)
        }
      }
    }
  }

  // MARK: Mix

  static var mix: Suite {
    Suite(
      name: "mix",
      about: "Protector against what one could take instead, as writes become frequent",
      reading:
        "Protector counts its readers or lets them publish themselves in slots, whichever it finds cheaper."
        + " The two contestants that are forced to do one of them show what it could have chosen; they are no"
        + " public types. All are inlined; the suite locks compares Protector with the locks that are"
        + " called.",
      contests: mixThreads.flatMap { threads in mixes.map { mix(threads: threads, $0, $1) } }
        + [99, 97, 95, 90, 50].map(inRandomOrder) + [
          Contest(
            group: "2 threads, in phases", title: "99.99 %, 50 %, 99.99 %", metric: .throughput, threads: 2,
            operationUnit: 3 * phaseLength, reference: "pthread_rwlock",
            contestants: [
              changing(BehindProtector()).inPhases("Protector"),
              changing(BehindReadWriteLock(CompactReadWriteLock())).inPhases("CompactReadWriteLock"),
              changing(BehindPthreadReadWriteLock()).inPhases("pthread_rwlock"),
              changing(BehindPthreadMutex()).inPhases("pthread_mutex"),
            ]),
          Contest(
            group: "a writer among 15 readers", title: "the writer", metric: .waits, threads: 16,
            operationUnit: 1_000, reference: "pthread_rwlock",
            contestants: [
              changing(BehindProtector()).writerAmongReaders("Protector"),
              changing(BehindReadWriteLock(CompactReadWriteLock())).writerAmongReaders(
                "CompactReadWriteLock"),
              changing(BehindPthreadReadWriteLock()).writerAmongReaders("pthread_rwlock"),
              changing(BehindPthreadMutex()).writerAmongReaders("pthread_mutex"),
            ]),
        ])
  }

  static let mixThreads = [1, 2, 8]

  /// The mixes of reads and writes; each title is the share of reads.
  static let mixes: KeyValuePairs = [
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

  private static func mix(threads: Int, _ title: String, _ mix: ReadWriteMix) -> Contest {
    func row(_ name: String, _ subject: consuming some GuardedInteger & ~Copyable) -> Contestant {
      LockTrial(subject, threads: threads, mix: mix).contestant(name).listed(under: .inlined)
    }
    return Contest(
      group: lockGroup(threads: threads), title: title, metric: .throughput, threads: threads,
      operationUnit: mix.period, reference: "Protector on Compact",
      contestants: [
        row("Protector", BehindProtector()),
        row("Protector on Compact", BehindProtector(on: CompactReadWriteLock())),
        row("Protector, all counted", BehindProtector(on: BiasedReadWriteLock(usesSlots: false))),
        row("Protector, all in slots", BehindProtector(on: BiasedReadWriteLock(usesSlots: true))),
        row("UnfairLock", BehindLock(UnfairLock())),
        row("Synchronization.Mutex", BehindMutex()),
      ])
  }

  /// The group of the mixes whose writes no processor predicts.
  static let randomOrder = "2 threads, in random order"

  private static func inRandomOrder(reads: Int) -> Contest {
    let mix = ReadWriteMix(reads: reads * 100, of: 10_000)
    let order = mix.shuffled()
    func row(_ name: String, _ subject: consuming some GuardedInteger & ~Copyable) -> Contestant {
      LockTrial(subject, threads: 2, mix: mix).contestant(name, in: order)
    }
    return Contest(
      group: randomOrder, title: "\(reads) %", metric: .throughput, threads: 2, operationUnit: mix.period,
      reference: "Protector on Compact",
      contestants: [
        row("Protector", BehindProtector()),
        row("Protector on Compact", BehindProtector(on: CompactReadWriteLock())),
        row("Protector, all counted", BehindProtector(on: BiasedReadWriteLock(usesSlots: false))),
        row("Protector, all in slots", BehindProtector(on: BiasedReadWriteLock(usesSlots: true))),
      ])
  }

  /// A trial whose contestants choose their own mix of reads and writes.
  private static func changing<Subject: GuardedInteger & ~Copyable>(
    _ subject: consuming Subject
  ) -> LockTrial<Subject> {
    LockTrial(subject, threads: 16, mix: ReadWriteMix(reads: 100))
  }
}

extension Target {
  static var locks: [Target] {
    func contest(_ threads: Int, _ title: String) -> (suite: String, group: String, title: String) {
      ("locks", Suite.lockGroup(threads: threads), title)
    }
    func writers(_ threads: Int) -> Path {
      Path("locks", Suite.lockGroup(threads: threads), "0 % reads", "UnfairLock")
    }
    func alone(_ name: String, _ title: String) -> Path {
      Path("locks", Suite.lockGroup(threads: 1), title, name)
    }
    let uncontended = ["read", "write"].flatMap { title in
      [
        ratio(
          "uncontended \(title): UnfairLock / Mutex, time", in: contest(1, title), "UnfairLock",
          over: ["Synchronization.Mutex"], .atMost(1.05)),
        ratio(
          "uncontended \(title): CompactReadWriteLock / pthread_rwlock, both called, time",
          in: contest(1, title), "CompactReadWriteLock, called", over: ["pthread_rwlock"], .atMost(0.9)),
        Target(
          "uncontended \(title): Protector - its bare BiasedReadWriteLock, time",
          .difference(alone("Protector", title), minus: alone("BiasedReadWriteLock", title)), .atMost(1)),
      ]
    }
    let contended = [
      ratio(
        "2 threads, 0 % reads: UnfairLock / Mutex, throughput", in: contest(2, "0 % reads"), "UnfairLock",
        over: ["Synchronization.Mutex"], .atLeast(1.2)),
      ratio(
        "2 threads, 0 % reads: UnfairLock / pthread_mutex, both called, throughput",
        in: contest(2, "0 % reads"), "UnfairLock, called", over: ["pthread_mutex"], .atLeast(2)),
      Target(
        "0 % reads: UnfairLock, 16 threads / 2 threads, throughput",
        .ratio(writers(16), over: [writers(2)]), .atLeast(0.8)),
      Target("16 threads, 0 % reads: UnfairLock, longest wait", .longestWait(writers(16)), .atMost(1e9)),
    ]
    let againstCalled = [2, 16].flatMap { threads in
      [100, 99, 90, 50, 0].map { reads in
        ratio(
          "\(threads) threads, \(reads) % reads: Protector / the best of pthread_rwlock, pthread_mutex and"
            + " NSLock, all called, throughput", in: contest(threads, "\(reads) % reads"),
          "Protector, called", over: ["pthread_rwlock", "pthread_mutex", "NSLock"], .atLeast(0.8))
      }
    }
    return uncontended + contended + againstCalled
  }

  /// The claims that compare `Protector` with other locks, and with two variants of it that don't adapt.
  static var mix: [Target] {
    func protector(_ title: String, threads: Int, over peers: [String], atLeast bound: Double) -> Target {
      let words = peers.count == 1 ? peers[0] : "the best of \(peers.joined(separator: ", "))"
      return ratio(
        "\(threads) thread\(threads == 1 ? "" : "s"), \(title) reads: Protector / \(words), throughput",
        in: ("mix", Suite.lockGroup(threads: threads), title), "Protector", over: peers, .atLeast(bound))
    }
    let everywhere = Suite.mixThreads.flatMap { threads in
      Suite.mixes.flatMap { title, _ in
        [
          ["Protector on Compact", "UnfairLock", "Synchronization.Mutex"],
          ["Protector, all counted", "Protector, all in slots"],
        ].map { protector(title, threads: threads, over: $0, atLeast: 0.8) }
      }
    }
    let compact = ["Protector on Compact"]
    let reading = ["99.9 %", "100 %"].map { protector($0, threads: 1, over: compact, atLeast: 1.4) }
    let readingTogether = [2, 8].flatMap { threads in
      [("100 %", 3), ("99.99 %", 2.5), ("99.9 %", 1.7)].map {
        protector($0, threads: threads, over: compact, atLeast: $1)
      }
    }
    let inRandomOrder = [99, 97, 95, 90, 50].map { reads in
      ratio(
        "2 threads, \(reads) % reads in random order: Protector / Protector on Compact, throughput",
        in: ("mix", Suite.randomOrder, "\(reads) %"), "Protector", over: compact, .atLeast(0.85))
    }
    return everywhere + reading + readingTogether + inRandomOrder
  }
}
