/// A one-time event that threads can wait for.
///
/// Everything that a thread did before it sent the signal is visible to threads whose wait for the signal has
/// returned.
package final class Signal: Sendable {
  private let sent = Monitor(false)

  package init() {}

  /// Whether the signal has been sent.
  package var isSent: Bool {
    sent.enter { $0 }
  }

  /// Sends the signal, which wakes all waiting threads.
  ///
  /// Later waits return immediately.
  package func send() {
    sent.enter { $0 = true }
  }

  /// Waits until the signal has been sent.
  package func wait() {
    sent.enter(when: { $0 }, { _ in })
  }
}
