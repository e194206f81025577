/// The phases of a `Lifecycle` and their transitions: a value, without threads, atomics or waiting.
///
/// Each operation returns what its caller must do. `LifecycleCore` keeps the bits in one atomic word. It applies
/// an operation to a copy, replaces the word by a compare-exchange, and then does what the operation
/// returned. A delivery that finds no slot begins and ends by an addition to the word instead. A *delivery* is a body
/// of `whileActive` or `activate` that runs.
///
/// | phase | meaning | next phases |
/// |---|---|---|
/// | `inactive` | not activated yet, or the last activation failed | `activating`, `invalidated` |
/// | `activating` | `activate` runs its body; further deliveries are admitted | `active`, `failing`, `invalidated` |
/// | `active` | deliveries are admitted | `invalidated` |
/// | `failing` | `activate`'s body has thrown; deliveries may still run | `inactive`, `invalidated` |
/// | `invalidated` | forever; deliveries may still run | |
@usableFromInline
@frozen
package struct LifecycleState: Equatable, Sendable {
  // Bits 0…2: the phase. Bit 2 is set in the phases that admit no deliveries. Bit 3 is set while threads or
  // tasks wait. The other bits are the number of deliveries that are in no slot.
  @usableFromInline
  package private(set) var bits: UInt64

  @_alwaysEmitIntoClient
  package init(bits: UInt64) {
    self.bits = bits
  }

  package init() {
    bits = Phase.inactive.rawValue
  }

  package enum Phase: UInt64, CaseIterable {
    case active = 0
    case activating = 1
    case inactive = 4
    case failing = 5
    case invalidated = 6
  }

  private static var phaseMask: UInt64 { 7 }
  @_alwaysEmitIntoClient
  static var admitsNone: UInt64 { 1 << 2 }
  @_alwaysEmitIntoClient
  static var waiters: UInt64 { 1 << 3 }
  /// What the beginning of a delivery without a slot adds to the bits, and its end subtracts.
  @_alwaysEmitIntoClient
  package static var delivery: UInt64 { 1 << 4 }

  package private(set) var phase: Phase {
    get { Phase(rawValue: bits & Self.phaseMask)! }
    set { bits = bits & ~Self.phaseMask | newValue.rawValue }
  }

  /// Whether threads wait for the activation to end, or threads or tasks for deliveries.
  package private(set) var hasWaiters: Bool {
    get { bits & Self.waiters != 0 }
    set { bits = newValue ? bits | Self.waiters : bits & ~Self.waiters }
  }

  /// The number of running deliveries that are in no slot, nested ones included.
  package var deliveries: UInt64 { bits / Self.delivery }

  /// Whether deliveries are admitted.
  @_alwaysEmitIntoClient
  package var isOpen: Bool { bits & Self.admitsNone == 0 }

  /// Whether the end of a delivery must wake those that wait: no deliveries are admitted, so they may wait for
  /// deliveries.
  @_alwaysEmitIntoClient
  package var endOfDeliveryWakes: Bool {
    bits & (Self.admitsNone | Self.waiters) == Self.admitsNone | Self.waiters
  }

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

  /// Begins an activation if that is possible, and with it the delivery that is its body.
  ///
  /// - Parameter isInside: Whether the caller is in a body of `activate` or `whileActive`, and so would
  ///   wait for itself.
  /// - Returns: The caller's next step.
  package mutating func activate(isInside: Bool) -> Activation {
    switch phase {
    case .inactive:
      phase = .activating
      bits += Self.delivery
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
  /// - Returns: Whether to wait for running deliveries and then call `failureEnded`.
  package mutating func activationFailed() -> Bool {
    guard phase == .activating else { return false }
    phase = .failing
    return true
  }

  /// Records that no delivery runs any more after a failed activation.
  ///
  /// - Returns: Whether threads wait for the end of the activation and must be woken.
  package mutating func failureEnded() -> Bool {
    guard phase == .failing else { return false }
    phase = .inactive
    return takeWaiters()
  }

  /// The instructions for a caller of `invalidate`, which then waits for running deliveries.
  package struct Invalidation: Equatable {
    /// Whether this is the first invalidation, so that the caller must run the body of `invalidate`.
    package var isFirst: Bool
    /// Whether the caller must wake those that wait.
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

  /// Records that a caller waits for deliveries.
  package mutating func waitForDeliveries() {
    hasWaiters = true
  }

  private mutating func takeWaiters() -> Bool {
    defer { hasWaiters = false }
    return hasWaiters
  }
}
