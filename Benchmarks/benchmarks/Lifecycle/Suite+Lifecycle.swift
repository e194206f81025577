internal import BenchmarkHarness

/// The names of the implementations in the suite "lifecycle", as its result tables show them.
enum ReceiverName {
  static let bare = "bare call"
  static let lifecycle = "Lifecycle.whileActive"
  static let protector = "flag in a Protector"
  static let mutex = "flag in a Mutex"
}

extension Suite {
  /// Measures the delivery of an event to an object that can be invalidated at any moment.
  static var lifecycle: Suite {
    Suite(
      name: "lifecycle", about: "an event that is delivered unless its receiver has been invalidated",
      contests: [
        deliveries(group: "lifecycle", title: "delivery", .cost, threads: 1),
        deliveries(
          group: "lifecycle, throughput", title: lifecycleTitle(threads: 1), .throughput, threads: 1),
        deliveries(
          group: "lifecycle, throughput", title: lifecycleTitle(threads: 2), .throughput, threads: 2),
      ])
  }

  /// The title of the results column for `threads` threads that deliver events.
  static func lifecycleTitle(threads: Int) -> String {
    threads == 1 ? "1 thread" : "\(threads) threads"
  }

  private static func deliveries(
    group: String, title: String, _ metric: Metric, threads: Int
  ) -> Contest {
    func contestant(_ name: String, _ receiver: some EventReceiver) -> Contestant {
      DeliveryTrial(receiver, threads: threads).contestant(named: name)
    }
    return Contest(
      group: group, title: title, metric: metric, threads: threads, operationUnit: 100,
      reference: ReceiverName.bare,
      contestants: [
        contestant(ReceiverName.bare, BareReceiver()),
        contestant(ReceiverName.lifecycle, LifecycleReceiver()),
        contestant(ReceiverName.protector, ProtectorReceiver()),
        contestant(ReceiverName.mutex, MutexReceiver()),
      ])
  }
}
