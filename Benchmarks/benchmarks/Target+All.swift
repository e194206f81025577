internal import BenchmarkHarness

extension Target {
  /// All claims of the project about performance; the figures of a run confirm or refute them.
  static var all: [Target] {
    locks + contention + mix + strangers + waits + once + atomicProperties + lifecycle + tasks + snapshots
      + publishedValue
  }

  private static var locks: [Target] {
    let uncontended = Suite.lockGroup(threads: 1)
    let bothWays = ["read", "write"]
    func path(_ name: String, _ title: String) -> Path { Path("locks", uncontended, title, name) }
    func writers(_ name: String, threads: Int) -> Path {
      Path("locks", Suite.lockGroup(threads: threads), Suite.lockTitle(reads: 0), name)
    }
    let pair = writers(LockName.unfair, threads: 2)
    func called(_ name: String, _ title: String) -> Path { path(LockName.called(name), title) }
    let crowd = writers(LockName.unfair, threads: 16)
    let alone = bothWays.flatMap { title in
      [
        Target(
          "uncontended \(title): UnfairLock / Mutex, time",
          .ratio(path(LockName.unfair, title), over: path(LockName.mutex, title)), .atMost(1.05)),
        Target(
          "uncontended \(title): CompactReadWriteLock / pthread_rwlock, both called, time",
          .ratio(called(LockName.compact, title), over: path(LockName.pthreadReadWrite, title)),
          .atMost(0.9)),
        Target(
          "uncontended \(title): Protector - its bare BiasedReadWriteLock, time",
          .difference(path(LockName.protector, title), minus: path(LockName.biased, title)), .atMost(1)),
      ]
    }
    let contended = [
      Target(
        "2 threads, 0 % reads: UnfairLock / Mutex, throughput",
        .ratio(pair, over: writers(LockName.mutex, threads: 2)), .atLeast(1.2)),
      Target(
        "2 threads, 0 % reads: UnfairLock / pthread_mutex, both called, throughput",
        .ratio(
          writers(LockName.called(LockName.unfair), threads: 2),
          over: writers(LockName.pthreadMutex, threads: 2)), .atLeast(2)),
      Target(
        "0 % reads: UnfairLock, 16 threads / 2 threads, throughput", .ratio(crowd, over: pair),
        .atLeast(0.8)),
      Target("16 threads, 0 % reads: UnfairLock, longest wait", .longestWait(crowd), .atMost(1)),
    ]
    return alone + contended + againstCalled
  }

  /// The claims that compare `Protector` with the locks of the system's libraries.
  private static var againstCalled: [Target] {
    let peers = [LockName.pthreadReadWrite, LockName.pthreadMutex, LockName.nsLock]
    return [2, 16].flatMap { threads in
      [100, 99, 90, 50, 0].map { reads in
        let title = Suite.lockTitle(reads: reads)
        func path(_ name: String) -> Path {
          Path("locks", Suite.lockGroup(threads: threads), title, name)
        }
        return Target(
          "\(threads) threads, \(title): Protector / the best of \(list(peers)), all called, throughput",
          .ratioToGreatest(path(LockName.called(LockName.protector)), of: peers.map(path)), .atLeast(0.8))
      }
    }
  }

  /// Joins names as in a sentence: "one, two and three".
  static func list(_ names: [String]) -> String {
    names.count < 2
      ? names.joined() : "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
  }
}
