/// Performs the transitions of a model one after another.
///
/// An observer may change the model while it is being notified of a transition. The queue performs that new
/// transition after the current one. So all observers are notified of all transitions in the same order.
@MainActor
final class TransitionQueue<Transition> {
  private var waiting: [Transition] = []
  private var isMaking = false

  /// Performs a transition.
  ///
  /// If another transition is being performed, this call only queues the new one and returns. The call that
  /// performs the other transition also performs the queued one.
  func add(_ transition: Transition, make: (Transition) -> Void) {
    waiting.append(transition)
    if isMaking { return }
    isMaking = true
    defer { isMaking = false }
    while !waiting.isEmpty { make(waiting.removeFirst()) }
  }
}
