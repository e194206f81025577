internal import BenchmarkHarness

extension Target {
  static var bias: [Target] {
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
