/// The states of a `Lifecycle` and what may happen in each: a value, without threads, atomics or waiting.
///
/// Its operations say what their caller has to do. `LifecycleCore` keeps it in a lock word, applies an operation to a
/// copy, puts the copy in place of what it had read, and then does what the operation said.
///
/// | phase | means | goes to |
/// |---|---|---|
/// | `inactive` | not activated yet, or the last activation failed | `activating`, `invalidated` |
/// | `activating` | the body of `activate` runs; deliveries are let in | `active`, `failing`, `invalidated` |
/// | `active` | deliveries are let in | `invalidated` |
/// | `failing` | the body of `activate` has thrown; deliveries that were let in may still run | `inactive`, `invalidated` |
/// | `invalidated` | for ever; deliveries that were let in may still run | |
@usableFromInline
package struct LifecycleState: Equatable, Sendable {
  // Bits 0…2: the phase. Bit 3: threads wait for the activation to end.
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

  /// The bits of a lifecycle that is active: what a delivery hopes for.
  @inlinable
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

  /// Whether deliveries are let in.
  package var isOpen: Bool { phase == .activating || phase == .active }

  /// Whether a thread may be waiting for deliveries to end.
  package var isClosed: Bool { phase == .failing || phase == .invalidated }

  // MARK: Operations

  /// What a caller of `activate` does.
  package enum Activation: Equatable {
    /// Run the body, then call `activationSucceeded` or `activationFailed`.
    case begin
    /// Wait until the state has changed, and ask again.
    case wait
    /// Nothing: it has been activated, or invalidated, or is being activated by something the caller is inside of.
    case refuse
  }

  /// - Parameter isInside: Whether the caller is in the body of `activate` or in a delivery: waiting would be for itself.
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

  /// The body of `activate` has returned.
  ///
  /// - Returns: Whether to wake threads.
  package mutating func activationSucceeded() -> Bool {
    guard phase == .activating else { return false }
    phase = .active
    return takeWaiters()
  }

  /// The body of `activate` has thrown.
  ///
  /// - Returns: Whether to wait for deliveries in flight and then call `failureEnded`.
  package mutating func activationFailed() -> Bool {
    guard phase == .activating else { return false }
    phase = .failing
    return true
  }

  /// No delivery is in flight any more.
  ///
  /// - Returns: Whether to wake threads.
  package mutating func failureEnded() -> Bool {
    guard phase == .failing else { return false }
    phase = .inactive
    return takeWaiters()
  }

  /// What a caller of `invalidate` does before it waits for deliveries in flight.
  package struct Invalidation: Equatable {
    /// Whether it is the first: the one that runs its body.
    package var isFirst: Bool
    /// Whether to wake threads.
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
