#if !Exploration
  /// Stands for the threads that the explorer runs: there are none, because the explorer is not built.
  ///
  /// With the trait `Exploration`, `Exploration.swift` takes the place of this file, and says what the functions
  /// do. Without it, the compiler removes each use of `ExploredThreads.current`, which is always `nil`.
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
