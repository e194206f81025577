internal import BenchmarkHarness
internal import Lifecycles
internal import Protectors
internal import Synchronization

/// An object that receives events.
protocol EventReceiver: AnyObject, Sendable {
  /// Handles an event: adds the result of `work` to `sum`, or does nothing if the receiver has been invalidated.
  func receive(_ sum: UnsafeMutablePointer<Int>, _ work: SectionWork)
}

extension SectionWork {
  /// What an event adds to a receiver's sum: 1 for no work.
  fileprivate var result: Int { run(from: 1) }
}

/// A receiver that can't be invalidated.
private final class BareReceiver: EventReceiver {
  func receive(_ sum: UnsafeMutablePointer<Int>, _ work: SectionWork) { sum.pointee &+= work.result }
}

private final class LifecycleReceiver: EventReceiver {
  private let lifecycle = Lifecycle(label: "LifecycleReceiver")

  init() {
    lifecycle.activate()
  }

  deinit {
    // Deallocating an active `Lifecycle` traps. Invalidating it in `deinit` is sound, because no thread still
    // sends events to this receiver.
    lifecycle.invalidate()
  }

  func receive(_ sum: UnsafeMutablePointer<Int>, _ work: SectionWork) {
    lifecycle.whileActive { sum.pointee &+= work.result }
  }
}

/// A receiver whose flag is in a `Protector`; the event is counted in the read section that reads the flag.
private final class ProtectorReceiver: EventReceiver {
  private let isActive = Protector(true)

  func receive(_ sum: UnsafeMutablePointer<Int>, _ work: SectionWork) {
    isActive.withReadLock { isActive in
      if isActive { sum.pointee &+= work.result }
    }
  }
}

/// A receiver whose flag is in a `Mutex`, which is held while the event is counted.
private final class MutexReceiver: EventReceiver {
  private let isActive = Mutex(true)

  func receive(_ sum: UnsafeMutablePointer<Int>, _ work: SectionWork) {
    isActive.withLock { isActive in
      if isActive { sum.pointee &+= work.result }
    }
  }
}

/// Measures how fast one or several threads send events to one receiver.
private enum DeliveryTrial {
  static func contestant(
    _ name: String, _ receiver: some EventReceiver, threads: Int, _ work: SectionWork
  ) -> Contestant {
    // The sum of the events received from each worker, and the number that it has sent.
    let sums = (0..<threads).map { _ in IsolatedBox(0) }
    let sent = (0..<threads).map { _ in IsolatedBox(0) }
    return Contestant(
      name: name,
      batch: { worker, count in
        sent[worker].pointer.pointee += count
        return send(receiver, sums[worker].pointer, count, work)
      },
      audit: {
        let sent = sent.map { $0.pointer.pointee &* work.result }
        let received = sums.map(\.pointer.pointee)
        return received == sent ? nil : "events that add up to \(sent) were sent, and to \(received) received"
      })
  }

  private static func send(
    _ receiver: some EventReceiver, _ sum: UnsafeMutablePointer<Int>, _ events: Int, _ work: SectionWork
  ) -> Int {
    for _ in 0..<events { receive(receiver, sum, work) }
    return events
  }

  /// Sends one event to the receiver; the benchmark measures this call.
  ///
  /// This function is compiled separately for each type of receiver, with that type's `receive` inlined.
  @inline(never)
  private static func receive(
    _ receiver: some EventReceiver, _ sum: UnsafeMutablePointer<Int>, _ work: SectionWork
  ) {
    receiver.receive(sum, work)
  }
}

extension Suite {
  /// Measures the delivery of an event to an object that can be invalidated at any moment.
  static var lifecycle: Suite {
    Suite(
      name: "lifecycle", about: "an event that is delivered unless its receiver has been invalidated",
      contests: [
        deliveries(group: "lifecycle", title: "delivery", .cost, threads: 1),
        deliveries(group: "lifecycle, throughput", title: "1 thread", .throughput, threads: 1),
        deliveries(group: "lifecycle, throughput", title: "2 threads", .throughput, threads: 2),
        deliveries(
          group: "lifecycle, deliveries of 100 ns", title: "8 threads", .throughput, threads: 8,
          SectionWork(nanoseconds: 100)),
      ])
  }

  private static func deliveries(
    group: String, title: String, _ metric: Metric, threads: Int,
    _ work: SectionWork = SectionWork(nanoseconds: 0)
  ) -> Contest {
    func row(_ name: String, _ receiver: some EventReceiver) -> Contestant {
      DeliveryTrial.contestant(name, receiver, threads: threads, work)
    }
    return Contest(
      group: group, title: title, metric: metric, threads: threads, operationUnit: 100,
      reference: "bare call",
      contestants: [
        row("bare call", BareReceiver()), row("Lifecycle.whileActive", LifecycleReceiver()),
        row("flag in a Protector", ProtectorReceiver()), row("flag in a Mutex", MutexReceiver()),
      ])
  }
}

extension Target {
  static var lifecycle: [Target] {
    func together(_ name: String) -> Path {
      Path("lifecycle", "lifecycle, deliveries of 100 ns", "8 threads", name)
    }
    func cost(_ name: String) -> Path { Path("lifecycle", "lifecycle", "delivery", name) }
    func throughput(_ threads: String, atLeast bound: Double) -> Target {
      func path(_ name: String) -> Path { Path("lifecycle", "lifecycle, throughput", threads, name) }
      return Target(
        "deliveries, \(threads): Lifecycle.whileActive / flag in a Protector, throughput",
        .ratio(path("Lifecycle.whileActive"), over: [path("flag in a Protector")]), .atLeast(bound))
    }
    return [
      throughput("1 thread", atLeast: 1),
      throughput("2 threads", atLeast: 0.8),
      Target(
        "Lifecycle.whileActive - the bare call, time",
        .difference(cost("Lifecycle.whileActive"), minus: cost("bare call")), .atMost(24)),
      Target(
        "deliveries of 100 ns, 8 threads: Lifecycle.whileActive / bare calls, throughput",
        .ratio(together("Lifecycle.whileActive"), over: [together("bare call")]), .atLeast(0.5)),
    ]
  }
}
