import Lifecycles
import Testing

/// Tests the state machine in every sequence of up to six operations, against results derived from the
/// sequence.
@Suite struct LifecycleStateTests {
  /// The operations of callers.
  private enum Operation: CaseIterable {
    case activateOutside, activateInside, succeed, fail, endFailure, invalidate
    case deliver, endDelivery, wait
  }

  /// The expected results, computed from the operations so far without the state machine.
  private struct History {
    private var hasSucceeded = false
    private var isRunning = false
    private var isDraining = false
    private var isInvalidated = false
    /// Whether threads may be in a body of `whileActive`: an activation has begun, and if it has failed, the
    /// failure has not ended yet.
    private var hasBeenOpen = false
    private var waitingCallers = 0
    private(set) var deliveries: UInt64 = 0

    /// Whether an operation can occur now.
    ///
    /// For example, only a running activation can succeed.
    func admits(_ operation: Operation) -> Bool {
      switch operation {
      case .activateOutside, .invalidate: true
      case .activateInside: hasBeenOpen && (isRunning || hasSucceeded || isDraining)
      case .succeed, .fail: isRunning
      case .endFailure: isDraining && (deliveries == 0 || isInvalidated)
      case .deliver: isOpen
      case .endDelivery: deliveries > (isRunning ? 1 : 0)
      case .wait: isClosed && deliveries > 0
      }
    }

    var isOpen: Bool { !isInvalidated && (isRunning || hasSucceeded) }
    private var isClosed: Bool { isInvalidated || isDraining }

    var phase: LifecycleState.Phase {
      if isInvalidated { return .invalidated }
      if isRunning { return .activating }
      if isDraining { return .failing }
      return hasSucceeded ? .active : .inactive
    }

    mutating func activation(isInside: Bool) -> LifecycleState.Activation {
      if isInvalidated || hasSucceeded { return .refuse }
      if isRunning || isDraining {
        if isInside { return .refuse }
        waitingCallers += 1
        return .wait
      }
      isRunning = true
      hasBeenOpen = true
      deliveries += 1
      return .begin
    }

    mutating func success() -> Bool {
      isRunning = false
      if isInvalidated { return false }
      hasSucceeded = true
      return wake()
    }

    mutating func failure() -> Bool {
      isRunning = false
      if isInvalidated { return false }
      isDraining = true
      return true
    }

    mutating func failureEnd() -> Bool {
      isDraining = false
      if isInvalidated { return false }
      hasBeenOpen = false
      return wake()
    }

    mutating func invalidation() -> LifecycleState.Invalidation {
      guard !isInvalidated else { return LifecycleState.Invalidation(isFirst: false, wakes: false) }
      isInvalidated = true
      return LifecycleState.Invalidation(isFirst: true, wakes: wake())
    }

    mutating func delivery() {
      deliveries += 1
    }

    /// Returns whether the delivery's end wakes, which leaves the flag as it is.
    mutating func deliveryEnd() -> Bool {
      deliveries -= 1
      return isClosed && waitingCallers > 0
    }

    mutating func wait() { waitingCallers += 1 }

    private mutating func wake() -> Bool {
      defer { waitingCallers = 0 }
      return waitingCallers > 0
    }

    var hasWaiters: Bool { waitingCallers > 0 }
  }

  /// Applies an operation to the state and to the history.
  ///
  /// Returns `false` when their results differ.
  private func agree(_ operation: Operation, _ state: inout LifecycleState, _ history: inout History) -> Bool
  {
    let isSame =
      switch operation {
      case .activateOutside: state.activate(isInside: false) == history.activation(isInside: false)
      case .activateInside: state.activate(isInside: true) == history.activation(isInside: true)
      case .succeed: state.activationSucceeded() == history.success()
      case .fail: state.activationFailed() == history.failure()
      case .endFailure: state.failureEnded() == history.failureEnd()
      case .invalidate: state.invalidate() == history.invalidation()
      case .deliver: begin(&state, &history)
      case .endDelivery: end(&state, &history)
      case .wait: wait(&state, &history)
      }
    return isSame && state.phase == history.phase && state.hasWaiters == history.hasWaiters
      && state.isOpen == history.isOpen && state.deliveries == history.deliveries
  }

  /// Begins a delivery as `LifecycleCore` does; returns whether the state admits it.
  private func begin(_ state: inout LifecycleState, _ history: inout History) -> Bool {
    let isAdmitted = state.isOpen
    state = LifecycleState(bits: state.bits + LifecycleState.delivery)
    history.delivery()
    return isAdmitted
  }

  private func wait(_ state: inout LifecycleState, _ history: inout History) -> Bool {
    state.waitForDeliveries()
    history.wait()
    return true
  }

  /// Ends a delivery as `LifecycleCore` does; returns whether state and history agree on the wake-up.
  private func end(_ state: inout LifecycleState, _ history: inout History) -> Bool {
    let wakes = state.endOfDeliveryWakes
    state = LifecycleState(bits: state.bits - LifecycleState.delivery)
    return wakes == history.deliveryEnd()
  }

  /// Tries all sequences that extend `path` by up to `depth` operations.
  ///
  /// Adds their number to `count`. Returns the first sequence after which the state and the history differ;
  /// `nil` if there is none.
  private func explore(
    _ path: [Operation], _ state: LifecycleState, _ history: History, depth: Int, count: inout Int
  ) -> [Operation]? {
    guard depth > 0 else { return nil }
    for operation in Operation.allCases where history.admits(operation) {
      var state = state
      var history = history
      count += 1
      guard agree(operation, &state, &history) else { return path + [operation] }
      if let found = explore(path + [operation], state, history, depth: depth - 1, count: &count) {
        return found
      }
    }
    return nil
  }

  @Test("every sequence of six operations on the state machine")
  func everySequence() {
    var count = 0
    let difference = explore([], LifecycleState(), History(), depth: 6, count: &count)
    #expect(difference == nil)
    #expect(count > 1_000)
  }
}
