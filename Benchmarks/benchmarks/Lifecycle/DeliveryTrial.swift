internal import BenchmarkHarness

/// Measures how fast one or several threads send events to one receiver.
final class DeliveryTrial<Receiver: EventReceiver>: Sendable {
  private let receiver: Receiver
  /// The number of events received from each worker, on separate cache lines to avoid contention.
  private let counts: [IsolatedBox<Int>]
  /// The number of events that each worker has sent.
  private let sent: PerWorker<Int>

  init(_ receiver: Receiver, threads: Int) {
    self.receiver = receiver
    counts = (0..<threads).map { _ in IsolatedBox(0) }
    sent = PerWorker(count: threads, repeating: 0)
  }

  /// Makes a contestant for the harness.
  func contestant(named name: String) -> Contestant {
    Contestant(name: name, batch: operate, audit: audit)
  }

  @Sendable
  private func operate(worker: Int, count: Int) -> Int {
    sent[worker] += count
    return Self.send(receiver, counts[worker].pointer, count)
  }

  @Sendable
  private func audit() -> String? {
    let sent = sent.values
    let received = counts.map(\.pointer.pointee)
    return received == sent ? nil : "\(sent) events were sent and \(received) have been received"
  }

  private static func send(_ receiver: Receiver, _ count: UnsafeMutablePointer<Int>, _ events: Int) -> Int {
    for _ in 0..<events { receive(receiver, count) }
    return events
  }

  /// Sends one event to the receiver; the benchmark measures this call.
  ///
  /// This function is compiled separately for each type of receiver, with that type's `receive` inlined.
  @inline(never)
  private static func receive(_ receiver: Receiver, _ count: UnsafeMutablePointer<Int>) {
    receiver.receive(count)
  }
}
