/// Performs the transitions of a model one after another.
///
/// An observer may change the model while it is being notified of a transition. The queue performs that new
/// transition after the current one. So all observers are notified of all transitions in the same order.
@MainActor
final class TransitionQueue<Transition> {
  private var waiting: [Transition] = []
  private var isMaking = false

  /// Performs a transition; the model must set this closure before it adds the first transition.
  var make: @MainActor (Transition) -> Void = { _ in }

  /// Performs a transition.
  ///
  /// If another transition is being performed, this call only queues the new one and returns. The call that
  /// performs the other transition also performs the queued one.
  func add(_ transition: Transition) {
    waiting.append(transition)
    if !isMaking { delaying {} }
  }

  /// Runs `body`, then performs the transitions that `body` has added.
  ///
  /// If a transition is being performed, this call only runs `body`. The call that performs the transition
  /// also performs those that `body` adds.
  func delaying(_ body: () -> Void) {
    if isMaking { return body() }
    isMaking = true
    defer { isMaking = false }
    body()
    while !waiting.isEmpty { make(waiting.removeFirst()) }
  }
}
