/// Something that happens once, and that threads can wait for.
///
/// What a thread did before it sent the signal happens before what others do after they have waited for it.
package final class Signal: Sendable {
  private let sent = Monitor(false)

  package init() {}

  /// Whether it has been sent.
  package var isSent: Bool {
    sent.enter { $0 }
  }

  /// Lets all who wait, and all who come later, pass.
  package func send() {
    sent.enter { $0 = true }
  }

  /// Waits until it has been sent.
  package func wait() {
    sent.enter(when: { $0 }, { _ in })
  }
}
