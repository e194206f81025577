internal import BenchmarkHarness

extension Target {
  /// The claims that compare `Protector` with other locks, and with two variants of it that don't adapt.
  ///
  /// In one variant, a shared word of the lock counts all readers. In the other variant, each reader uses a
  /// slot of its own.
  static var mix: [Target] {
    func path(_ name: String, _ title: String, threads: Int) -> Path {
      Path("mix", Suite.lockGroup(threads: threads), title, name)
    }
    func protector(_ title: String, threads: Int, over peers: [String], atLeast bound: Double) -> Target {
      let words = peers.count == 1 ? peers[0] : "the best of \(list(peers))"
      let threadsText = threads == 1 ? "1 thread" : "\(threads) threads"
      return Target(
        "\(threadsText), \(title) reads: Protector / \(words), throughput",
        .ratioToGreatest(
          path(LockName.protector, title, threads: threads),
          of: peers.map { path($0, title, threads: threads) }),
        .atLeast(bound))
    }
    let compact = [LockName.compactProtector]
    let everywhere = Suite.mixThreads.flatMap { threads in
      Suite.readWriteMixes.flatMap { title, _ in
        [
          [LockName.compactProtector, LockName.unfair, LockName.mutex],
          [LockName.countedProtector, LockName.slotsProtector],
        ].map { protector(title, threads: threads, over: $0, atLeast: 0.8) }
      }
    }
    let reading = [
      protector("99.9 %", threads: 1, over: compact, atLeast: 1.4),
      protector("100 %", threads: 1, over: compact, atLeast: 1.4),
    ]
    let readingTogether = [2, 8].flatMap { threads in
      [("100 %", 3), ("99.99 %", 2.5), ("99.9 %", 1.7)].map { title, bound in
        protector(title, threads: threads, over: compact, atLeast: bound)
      }
    }
    return everywhere + reading + readingTogether
  }

  /// The claims that a `Protector` and the threads that don't use it hardly slow each other down.
  static var strangers: [Target] {
    func crowd(_ idle: Int, _ title: String) -> Path {
      Path("crowd", Suite.crowdGroup(idle: idle), title, LockName.protector)
    }
    let crowds = Suite.crowdMixes.map { title, _ in
      Target(
        "\(title) reads: Protector among 2 000 idle threads / among none, throughput",
        .ratio(crowd(2_000, title), over: crowd(0, title)), .atLeast(0.9))
    }
    let own = Suite.readWriteMixes.map { title, _ in
      Target(
        "\(title) reads of own locks: Protector / compact, throughput",
        .ratio(
          Path("own locks", Suite.lockGroup(threads: 2), title, LockName.protector),
          over: Path("own locks", Suite.lockGroup(threads: 2), title, LockName.compactProtector)),
        .atLeast(0.85))
    }
    func bystander(_ name: String) -> Path { Path("bystander", "2 threads", Suite.bystanderTitle, name) }
    return crowds + own + [
      Target(
        "a thread without locks: beside a Protector / beside no lock, throughput",
        .ratio(bystander(LockName.protector), over: bystander(LockName.none)), .atLeast(0.95))
    ]
  }
}
