internal import BenchmarkHarness

extension Target {
  /// What the project claims of itself, to be read from one run.
  static var all: [Target] {
    let uncontended = Suite.lockGroup(threads: 1)
    let bothWays = ["read", "write"]
    func place(_ name: String, _ title: String) -> Place { Place("locks", uncontended, title, name) }
    func writers(_ name: String, threads: Int) -> Place {
      Place("locks", Suite.lockGroup(threads: threads), Suite.lockTitle(reads: 0), name)
    }
    let pair = writers(LockName.unfair, threads: 2)
    let crowd = writers(LockName.unfair, threads: 16)
    let alone = bothWays.flatMap { title in
      [
        Target(
          "uncontended \(title): UnfairLock / Mutex, time",
          .ratio(place(LockName.unfair, title), over: place(LockName.mutex, title)), .atMost(1.05)),
        Target(
          "uncontended \(title): CompactReadWriteLock / pthread_rwlock, time",
          .ratio(place(LockName.compact, title), over: place(LockName.pthreadReadWrite, title)), .atMost(0.9)),
        Target(
          "uncontended \(title): Protector - its bare BiasedReadWriteLock, time",
          .difference(place(LockName.protector, title), minus: place(LockName.biased, title)), .atMost(1)),
      ]
    }
    let contended = [
      Target(
        "2 threads, 0 % reads: UnfairLock / Mutex, throughput",
        .ratio(pair, over: writers(LockName.mutex, threads: 2)), .atLeast(1.2)),
      Target(
        "2 threads, 0 % reads: UnfairLock / pthread_mutex, throughput",
        .ratio(pair, over: writers(LockName.pthreadMutex, threads: 2)), .atLeast(2)),
      Target(
        "0 % reads: UnfairLock, 16 threads / 2 threads, throughput", .ratio(crowd, over: pair),
        .atLeast(0.8)),
      Target("16 threads, 0 % reads: UnfairLock, longest wait", .longestWait(crowd), .atMost(1)),
    ]
    return alone + contended + bias
  }

  private static var bias: [Target] {
    func place(_ name: String, _ title: String, threads: Int) -> Place {
      Place("bias", Suite.lockGroup(threads: threads), title, name)
    }
    func throughput(_ title: String, threads: Int, over peer: String, _ bound: Double) -> Target {
      let count = threads == 1 ? "1 thread" : "\(threads) threads"
      return Target(
        "\(count), \(title) reads: Protector / \(peer), throughput",
        .ratio(
          place(LockName.protector, title, threads: threads), over: place(peer, title, threads: threads)),
        .atLeast(bound))
    }
    let reading = [
      // Times: at most 1.5 times no lock's, at most a quarter of the system lock's.
      throughput("100 %", threads: 1, over: LockName.none, 1 / 1.5),
      throughput("100 %", threads: 1, over: LockName.pthreadReadWrite, 4),
      throughput("100 %", threads: 2, over: LockName.pthreadReadWrite, 20),
      throughput("100 %", threads: 2, over: LockName.none, 0.7),
      Target(
        "100 % reads: Protector, 2 threads / 1 thread, throughput",
        .ratio(
          place(LockName.protector, "100 %", threads: 2), over: place(LockName.protector, "100 %", threads: 1)
        ),
        .atLeast(1.8)),
      throughput("99.99 %", threads: 2, over: LockName.pthreadReadWrite, 8),
      throughput("99.9 %", threads: 2, over: LockName.pthreadReadWrite, 5),
      throughput("99 %", threads: 2, over: LockName.pthreadReadWrite, 1.5),
    ]
    let writing = [1, 2, 16].flatMap { threads in
      Suite.writeHeavyTitles.map { title in
        Target(
          "\(threads == 1 ? "1 thread" : "\(threads) threads"), \(title) reads: Protector / best other, throughput",
          .ratioToGreatest(
            place(LockName.protector, title, threads: threads),
            of: [LockName.compact, LockName.pthreadReadWrite, LockName.pthreadMutex].map {
              place($0, title, threads: threads)
            }), .atLeast(0.95))
      }
    }
    return reading + writing
  }
}
