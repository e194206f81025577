internal import BenchmarkHarness

extension Target {
  static var lifecycle: [Target] {
    func throughput(threads: Int) -> Path {
      Path(
        "lifecycle", "lifecycle, throughput", Suite.lifecycleTitle(threads: threads), ReceiverName.lifecycle)
    }
    func cost(_ name: String) -> Path { Path("lifecycle", "lifecycle", "delivery", name) }
    return [
      Target(
        "Lifecycle.whileActive - the bare call, time",
        .difference(cost(ReceiverName.lifecycle), minus: cost(ReceiverName.bare)), .atMost(12)),
      Target(
        "Lifecycle.whileActive, 2 threads / 1 thread, throughput",
        .ratio(throughput(threads: 2), over: throughput(threads: 1)), .atLeast(1.7)),
    ]
  }
}
