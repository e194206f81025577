#if !DeadlockDetection

  #if !Exploration || ShippedLayout
    /// The replacement for the detector's `Probe` in builds without the trait `DeadlockDetection`.
    ///
    /// It has no size, and its functions are empty. `Probe.swift`, which replaces this file in builds with
    /// the trait, documents when a primitive must call which function.
    @frozen
    public struct Probe: Sendable {
      /// Makes the connection of `primitive` to the tools, which has no size in builds without them.
      @_alwaysEmitIntoClient
      @_transparent
      public init(_ primitive: Primitive) {}

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
      package borrowing func didAcquireUnannounced(_ mode: LockMode = .write) {}

      @_alwaysEmitIntoClient
      @_transparent
      package borrowing func willRelease() {}

      @_alwaysEmitIntoClient
      @_transparent
      package borrowing func didStopWaiting() {}

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

  extension Probe {
    /// Whether the detector is part of the build.
    @_alwaysEmitIntoClient
    @_transparent
    package static var isOn: Bool { false }

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func didPass(_ mode: LockMode = .write) {}

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func willSatisfy(afterWaiting waitedItself: Bool = false, of lock: Probe? = nil) {}

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
    package borrowing func taskWillSleep() {}

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func taskDidWake() {}

    @_alwaysEmitIntoClient
    package borrowing func willSubmit(_ mode: LockMode) -> QueueWait { QueueWait() }

    @_alwaysEmitIntoClient
    package borrowing func didBegin(_ wait: QueueWait, _ mode: LockMode) -> QueueWait.Outer { .init() }

    @_alwaysEmitIntoClient
    package borrowing func willEnd(_ wait: QueueWait, in outer: QueueWait.Outer) {}
  }

  /// The replacement for the detector's `SharedProbe`: it stores nothing, and returns an empty probe.
  @usableFromInline
  @frozen
  package struct SharedProbe: Sendable {
    @_alwaysEmitIntoClient
    package init(_ primitive: Primitive) {}

    @_alwaysEmitIntoClient
    package var probe: Probe { Probe(Primitive(PrimitiveKind("scope"))) }
  }

  /// The replacement for the detector's `QueueWait`, without content.
  @usableFromInline
  @frozen
  package struct QueueWait {
    @usableFromInline
    @frozen
    package struct Outer {
      @_alwaysEmitIntoClient
      init() {}
    }

    @_alwaysEmitIntoClient
    package init() {}

    @_alwaysEmitIntoClient
    package func end() {}
  }

  @_alwaysEmitIntoClient
  @_transparent
  package func whileAsleep<R>(_ body: () -> R) -> R { body() }

  @_alwaysEmitIntoClient
  @_transparent
  package func checkNoLockHeld(before call: StaticString) {}
#endif
