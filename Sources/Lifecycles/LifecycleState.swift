/// The phases of a `Lifecycle` and their transitions: a value, without threads, atomics or waiting.
///
/// Each operation returns what its caller must do. `LifecycleCore` keeps the bits in a lock word. It applies
/// an operation to a copy, replaces the word by a compare-exchange, and then does what the operation
/// returned. A *delivery* is a call of `whileActive`.
///
/// | phase | meaning | next phases |
/// |---|---|---|
/// | `inactive` | not activated yet, or the last activation failed | `activating`, `invalidated` |
/// | `activating` | `activate` runs its body; deliveries are admitted | `active`, `failing`, `invalidated` |
/// | `active` | deliveries are admitted | `invalidated` |
/// | `failing` | `activate`'s body has thrown; deliveries may still run | `inactive`, `invalidated` |
/// | `invalidated` | for ever; deliveries may still run | |
@usableFromInline
@frozen
package struct LifecycleState: Equatable, Sendable {
  // Bits 0…2: the phase. Bit 3 is set while threads wait for the activation to end.
  @usableFromInline
  package private(set) var bits: UInt32

  package init(bits: UInt32) {
    self.bits = bits
  }

  package init() {
    bits = Phase.inactive.rawValue
  }

  package enum Phase: UInt32, CaseIterable {
    case active, inactive, activating, failing, invalidated
  }

  private static var phaseMask: UInt32 { 7 }
  private static var waiters: UInt32 { 1 << 3 }

  /// The bits that the fast path of `whileActive` expects: the phase `active`, without waiting threads.
  @_alwaysEmitIntoClient
  package static var settled: UInt32 { 0 }

  package private(set) var phase: Phase {
    get { Phase(rawValue: bits & Self.phaseMask)! }
    set { bits = bits & ~Self.phaseMask | newValue.rawValue }
  }

  /// Whether threads wait for the activation to end.
  package private(set) var hasWaiters: Bool {
    get { bits & Self.waiters != 0 }
    set { bits = newValue ? bits | Self.waiters : bits & ~Self.waiters }
  }

  /// Whether deliveries are admitted.
  package var isOpen: Bool { phase == .activating || phase == .active }

  /// Whether `whileActive` begins no more bodies; threads can be waiting for the bodies that still run.
  package var isClosed: Bool { phase == .failing || phase == .invalidated }

  // MARK: Operations

  /// The next step of a caller of `activate`.
  package enum Activation: Equatable {
    /// Run the body, then call `activationSucceeded` or `activationFailed`.
    case begin
    /// Wait until the state has changed, and call `activate` again.
    case wait
    /// Do nothing: the object was activated or invalidated before, or the caller is in a body of `activate`
    /// or `whileActive` and would wait for itself.
    case refuse
  }

  /// Begins an activation if that is possible.
  ///
  /// - Parameter isInside: Whether the caller is in a body of `activate` or `whileActive`, and so would
  ///   wait for itself.
  /// - Returns: The caller's next step.
  package mutating func activate(isInside: Bool) -> Activation {
    switch phase {
    case .inactive:
      phase = .activating
      return .begin
    case .activating, .failing:
      if isInside { return .refuse }
      hasWaiters = true
      return .wait
    case .active, .invalidated:
      return .refuse
    }
  }

  /// Records that the body of `activate` has returned.
  ///
  /// - Returns: Whether threads wait for the end of the activation and must be woken.
  package mutating func activationSucceeded() -> Bool {
    guard phase == .activating else { return false }
    phase = .active
    return takeWaiters()
  }

  /// Records that the body of `activate` has thrown.
  ///
  /// - Returns: Whether to wait for running bodies of `whileActive` and then call `failureEnded`.
  package mutating func activationFailed() -> Bool {
    guard phase == .activating else { return false }
    phase = .failing
    return true
  }

  /// Records that no body of `whileActive` runs any more after a failed activation.
  ///
  /// - Returns: Whether threads wait for the end of the activation and must be woken.
  package mutating func failureEnded() -> Bool {
    guard phase == .failing else { return false }
    phase = .inactive
    return takeWaiters()
  }

  /// The instructions for a caller of `invalidate`, which then waits for running bodies of `whileActive`.
  package struct Invalidation: Equatable {
    /// Whether this is the first invalidation, so that the caller must run the body of `invalidate`.
    package var isFirst: Bool
    /// Whether the caller must wake the threads that wait for an activation to end.
    package var wakes: Bool

    package init(isFirst: Bool, wakes: Bool) {
      self.isFirst = isFirst
      self.wakes = wakes
    }
  }

  package mutating func invalidate() -> Invalidation {
    guard phase != .invalidated else { return Invalidation(isFirst: false, wakes: false) }
    phase = .invalidated
    return Invalidation(isFirst: true, wakes: takeWaiters())
  }

  private mutating func takeWaiters() -> Bool {
    defer { hasWaiters = false }
    return hasWaiters
  }
}
