internal import InterlockCore

/// A closure in the isolation of an actor, which may own what only that actor may use, even in a `deinit`.
protocol IsolatedClosure {
  associatedtype Input
  associatedtype Output: Sendable

  var isolation: (any Actor)? { get }

  func call(with input: Input, isolation: isolated (any Actor)?) async -> Output
}

/// Keeps a closure until it has run and was destroyed, both in its isolation.
///
/// A task or a thread that held the closure itself would destroy it where it ends.
// `@unchecked Sendable` is sound: the only call of `end` uses the closure, in the closure's isolation.
final class ClosureHolder<Closure: IsolatedClosure>: @unchecked Sendable {
  private var closure: Closure?

  init(_ closure: sending Closure) { self.closure = closure }

  /// Calls the closure, unless `input` is `nil`, and destroys it; must be called once.
  func end(with input: sending Closure.Input?) async -> Closure.Output? {
    // A statement of its own, which releases its copy of the closure.
    let isolation = closure!.isolation
    return await end(with: input, in: isolation)
  }

  private func end(
    with input: sending Closure.Input?, in isolation: isolated (any Actor)?
  ) async -> Closure.Output? {
    var output: Closure.Output?
    if let input { output = await closure!.call(with: input, isolation: isolation) }
    keepExecutor()
    closure = nil
    return output
  }
}
