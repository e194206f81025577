/// Makes the transitions of a model one after another.
///
/// A transition that comes while another one is being made, because an observer that is being notified acts on the
/// model, is made after it. So all observers are notified of all transitions in one order.
@MainActor
final class TransitionQueue<Transition> {
  private var waiting: [Transition] = []
  private var isMaking = false

  /// Makes a transition, or leaves that to the call further up on this thread.
  func add(_ transition: Transition, make: (Transition) -> Void) {
    waiting.append(transition)
    if isMaking { return }
    isMaking = true
    defer { isMaking = false }
    while !waiting.isEmpty { make(waiting.removeFirst()) }
  }
}
