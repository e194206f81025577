#if !DeadlockDetection
  public import LockSupport

  #if !Exploration
    /// The replacement for the detector's `LockNode` in builds without the trait `DeadlockDetection`.
    ///
    /// It has no size, and its functions are empty. `LockNode.swift`, which replaces this file in builds with
    /// the trait, documents when a primitive must call which function.
    @usableFromInline
    @frozen
    package struct LockNode: ~Copyable, Sendable {
      @_alwaysEmitIntoClient
      @_transparent
      package init(_ primitive: Primitive) {}

      @_alwaysEmitIntoClient
      @_transparent
      package borrowing func primitive(_ kind: PrimitiveKind) -> Primitive { Primitive(kind) }

      @_alwaysEmitIntoClient
      @_transparent
      package borrowing func willAcquire(_ mode: LockMode = .write) {}

      @_alwaysEmitIntoClient
      @_transparent
      package borrowing func didAcquire() {}

      @_alwaysEmitIntoClient
      @_transparent
      package borrowing func didAcquireWithoutWaiting(_ mode: LockMode = .write) {}

      @_alwaysEmitIntoClient
      @_transparent
      package borrowing func didRelease() {}

      @_alwaysEmitIntoClient
      @_transparent
      package borrowing func taskWillAcquire() {}

      @_alwaysEmitIntoClient
      @_transparent
      package borrowing func taskDidAcquire() {}

      @_alwaysEmitIntoClient
      @_transparent
      package borrowing func taskWillRelease() {}
    }
  #endif

  extension LockNode {
    /// Whether the detector is part of the build.
    @_alwaysEmitIntoClient
    @_transparent
    package static var isOn: Bool { false }

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func didPass(_ mode: LockMode = .write) {}

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func willSatisfy(afterWaiting waitedItself: Bool = false) {}

    @_alwaysEmitIntoClient
    @_transparent
    package static func acquiresSeveral(after count: Int?) {}

    @_alwaysEmitIntoClient
    @_transparent
    package static var heldCount: Int { 0 }

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func admitsSeveralTasks() {}

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func taskWillSleep() -> LongTaskWait? { nil }

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func taskDidWake() {}

    package borrowing func willSubmit(_ mode: LockMode) -> QueueWait { QueueWait() }

    package borrowing func didBegin(_ wait: QueueWait, _ mode: LockMode) -> QueueWait.Outer { .init() }

    package borrowing func willEnd(_ wait: QueueWait, in outer: QueueWait.Outer) {}
  }

  /// The replacement for the detector's `LongTaskWait`, of which no instance is made.
  @usableFromInline
  @frozen
  package struct LongTaskWait {
    package let deadline: Deadline
    package let report: @Sendable () -> Void
  }

  /// The replacement for the detector's `SharedLockNode`: it stores nothing, and returns an empty node.
  package struct SharedLockNode: Sendable {
    package init(_ primitive: Primitive) {}

    package var node: LockNode { LockNode(Primitive(.scope)) }
  }

  /// The replacement for the detector's `QueueWait`, without content.
  package struct QueueWait {
    package struct Outer {}

    package init() {}

    package func end() {}
  }

  @_alwaysEmitIntoClient
  @_transparent
  package func whileAsleep<R>(_ body: () -> R) -> R { body() }

  @_alwaysEmitIntoClient
  @_transparent
  package func checkNoLockHeld(before call: StaticString) {}
#endif
