#if !Exploration
  /// Replaces the type `ExploredThreads` in builds without the trait `Exploration`, in which no explorer runs
  /// threads.
  ///
  /// `ExploredThreads.current` is always `nil` in these builds, so the compiler removes each use of it.
  /// `Exploration.swift` has the type for builds with the trait, and documents its functions.
  @usableFromInline
  package typealias ExploredThreads = NoThread

  @usableFromInline
  @frozen
  package enum NoThread {
    @_alwaysEmitIntoClient
    @_transparent
    package static var current: NoThread? { nil }
    @_alwaysEmitIntoClient
    package var hasProcessBarrier: Bool { switch self {} }
    @_alwaysEmitIntoClient
    package func executeProcessBarrier() {}
    @_alwaysEmitIntoClient
    package func spin(until deadline: Deadline) {}
    @_alwaysEmitIntoClient
    package func now() -> UInt64 { switch self {} }

    @_alwaysEmitIntoClient
    @_transparent
    package func access(at address: UInt, writes: Bool) {}

    @_alwaysEmitIntoClient
    @_transparent
    package func number(of address: UInt) -> UInt { switch self {} }
    @_alwaysEmitIntoClient
    @discardableResult
    package func startThread(_ body: @escaping @Sendable () -> Void) -> Int { switch self {} }
    @_alwaysEmitIntoClient
    package func joinThread(_ number: Int) {}
    @_alwaysEmitIntoClient
    package func performConcurrently(_ count: Int, _ body: @Sendable (Int) -> Void) {}
    @_alwaysEmitIntoClient
    package func schedule(_ timer: AnyObject, at deadline: Deadline, _ expire: @escaping () -> Void) {}
    @_alwaysEmitIntoClient
    package func cancel(_ timer: AnyObject) {}
    @_alwaysEmitIntoClient
    package func noteWait(for primitive: Primitive?, isOfTask: Bool) {}
    @_alwaysEmitIntoClient
    package func noteEndOfWait() {}
    @_alwaysEmitIntoClient
    package func trap(_ sentence: String) -> Never { switch self {} }
  }

  #if DeadlockDetection
    extension NoThread {
      func note(_ event: ExploredLock.Event, _ lock: ExploredLock) {}
    }

    /// The replacement for the explorer's `ExploredLock`, for the detector's `Probe`.
    struct ExploredLock: Sendable {
      enum Event {
        case willAcquire(LockMode)
        case didAcquire(LockMode?)
        case releases
      }

      init(_ primitive: Primitive) {}
    }
  #endif
#endif
