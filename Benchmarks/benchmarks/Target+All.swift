internal import BenchmarkHarness

extension Target {
  /// What the project claims of itself, to be read from one run.
  static var all: [Target] {
    locks + mix + strangers + waits + once + atomicProperties + lifecycle + snapshots
  }

  private static var locks: [Target] {
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
          .ratio(place(LockName.compact, title), over: place(LockName.pthreadReadWrite, title)),
          .atMost(0.9)),
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
    return alone + contended
  }
}
