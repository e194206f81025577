internal import InterlockCore
public import ReadWriteLocks

/// A condition on a protector's value that many tasks wait for.
///
/// ```swift
/// let idle = Protector([Connection]())
/// let isAvailable = idle.condition { !$0.isEmpty }
///
/// let connection = try await idle.withWriteLock(waitingUntil: isAvailable) { $0.removeLast() }
/// ```
///
/// The end of a write section evaluates each closure that was passed to `waitingUntil:`, because closures
/// can't be compared: with *n* waiting tasks, *n* times. A condition is evaluated once for all tasks that wait
/// for it. Threads don't need it, because there are few: they wait for `condition.isSatisfied`.
///
/// A protector traps if it gets a condition of another one, but it can't tell the condition of one that does not
/// exist any more.
@frozen
public struct WaitCondition<Value: ~Copyable>: Sendable {
  /// Whether the condition holds for a value.
  public let isSatisfied: @Sendable (borrowing Value) -> Bool
  @usableFromInline
  let group: WaitGroup

  @_alwaysEmitIntoClient
  init(_ isSatisfied: @escaping @Sendable (borrowing Value) -> Bool, queue: UInt) {
    self.isSatisfied = isSatisfied
    group = WaitGroup(queue: queue)
  }
}

extension WaitCondition: CustomReflectable where Value: ~Copyable {
  /// A mirror without children.
  ///
  /// Reflection has no lock, so it must not see those that wait. Never blocks.
  @_documentation(visibility: internal)
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension GuardedValue where Value: ~Copyable, Lock: RawLock & ~Copyable {
  /// Creates a condition for this protector's tasks to wait for.
  ///
  /// Make it once, and store it beside the protector: each call creates another condition, even from the same
  /// closure.
  ///
  /// - Parameter isSatisfied: Whether the condition holds. It is evaluated under the lock, on any thread that
  ///   writes. It must be quick, must depend only on the value, and must not use the protector.
  @_alwaysEmitIntoClient
  public func condition(
    _ isSatisfied: @escaping @Sendable (borrowing Value) -> Bool
  ) -> WaitCondition<Value> {
    WaitCondition(isSatisfied, queue: waiters.key)
  }

  @usableFromInline
  func check(_ group: WaitGroup) {
    if group.queue != waiters.key {
      misuse(
        primitive, "waited for a condition of another protector",
        "make it with `condition(_:)` of this one")
    }
  }
}
