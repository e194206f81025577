public import Synchronization

// What a person would write from memory or from an older interface, with what to write instead.

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension LockFreeProperty where Value: FixedWidthInteger {
  /// Not available: it is an update.
  @available(*, unavailable, message: "write update(ordering: …) { $0 = min($0, operand) }")
  public func min(_ operand: Value, ordering: AtomicUpdateOrdering) {}

  /// Not available: it is an update.
  @available(*, unavailable, message: "write update(ordering: …) { $0 = max($0, operand) }")
  public func max(_ operand: Value, ordering: AtomicUpdateOrdering) {}

  /// Not available: it is an update.
  @available(*, unavailable, message: "write update(ordering: …) { $0 &= operand }")
  public func bitwiseAnd(_ operand: Value, ordering: AtomicUpdateOrdering) {}

  /// Not available: it is an update.
  @available(*, unavailable, message: "write update(ordering: …) { $0 |= operand }")
  public func bitwiseOr(_ operand: Value, ordering: AtomicUpdateOrdering) {}

  /// Not available: it is an update.
  @available(*, unavailable, message: "write update(ordering: …) { $0 ^= operand }")
  public func bitwiseXor(_ operand: Value, ordering: AtomicUpdateOrdering) {}
}

extension QueueProperty {
  /// Not available: each access on the queue traps, and for other calls libdispatch has the check.
  @available(*, unavailable, message: "write dispatchPrecondition(condition: .notOnQueue(queue))")
  public func preconditionNotOnQueue() {}
}
