/// Performs the transitions of a model one after another.
///
/// An observer can request another transition while it is being notified of one. The queue performs the new
/// transition after all observers have been notified of the current one. So all observers are notified of all
/// transitions in the same order.
@MainActor
final class TransitionQueue<Transition> {
  private var waiting: [Transition] = []
  private var isMaking = false

  /// Performs a transition; the model must set this closure before it adds the first transition.
  var make: @MainActor (Transition) -> Void = { _ in }

  /// Performs a transition, or queues it if another one is being performed.
  ///
  /// The running call of `add(_:)` or `delaying(_:)` performs a queued transition before that call returns.
  func add(_ transition: Transition) {
    waiting.append(transition)
    if !isMaking { delaying {} }
  }

  /// Runs `body`, then performs the transitions that `body` has added.
  ///
  /// Inside another call of `add(_:)` or `delaying(_:)`, it only runs `body`. That other call performs the
  /// added transitions before it returns.
  func delaying(_ body: () -> Void) {
    if isMaking { return body() }
    isMaking = true
    defer { isMaking = false }
    body()
    while !waiting.isEmpty { make(waiting.removeFirst()) }
  }
}
