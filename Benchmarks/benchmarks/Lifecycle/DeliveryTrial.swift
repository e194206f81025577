internal import BenchmarkHarness

/// Events that are sent to one receiver over and over, by one thread or several.
final class DeliveryTrial<Receiver: EventReceiver>: Sendable {
  private let receiver: Receiver
  /// What each worker's events count up, on lines of its own: what is compared is how they get there.
  private let counts: [IsolatedBox<Int>]
  /// How many events each worker has sent.
  private let sent: PerWorker<Int>

  init(_ receiver: Receiver, threads: Int) {
    self.receiver = receiver
    counts = (0..<threads).map { _ in IsolatedBox(0) }
    sent = PerWorker(count: threads, repeating: 0)
  }

  /// As the harness wants it.
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

  /// What is measured, with the call: one copy for each receiver, with its `receive` inlined.
  @inline(never)
  private static func receive(_ receiver: Receiver, _ count: UnsafeMutablePointer<Int>) {
    receiver.receive(count)
  }
}
