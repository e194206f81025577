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
    package var hasProcessBarrier: Bool { switch self {} }
    package func executeProcessBarrier() {}
    package func spin() {}
    package func now() -> UInt64 { switch self {} }

    @_alwaysEmitIntoClient
    @_transparent
    package func access(at address: UInt, writes: Bool) {}

    @_alwaysEmitIntoClient
    @_transparent
    package func number(of address: UInt) -> UInt { switch self {} }
    package func startThread(_ body: @escaping @Sendable () -> Void) {}
    package func performConcurrently(_ count: Int, _ body: @Sendable (Int) -> Void) {}
    package func schedule(_ timer: AnyObject, at deadline: Deadline, _ expire: @escaping () -> Void) {}
    package func cancel(_ timer: AnyObject) {}
    package func trap(_ sentence: String) -> Never { switch self {} }
  }
#endif
