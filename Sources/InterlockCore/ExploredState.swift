#if Exploration
  /// What modules keep for the process, and keep apart for explored threads.
  ///
  /// Each execution must begin with the same state, and must end without leaving objects alive. So a module that
  /// keeps something registers how to reset it, and the explorer depends on no such module.
  package enum ExploredState {
    private struct Part: Sendable {
      let reset: @Sendable () -> Void
      let end: @Sendable () -> Void
    }

    private static let lock = UnfairLockCore()
    // Sound: accessed only while `lock` is held.
    @exclusivity(unchecked)
    private nonisolated(unsafe) static var parts: [Part] = []

    /// Registers a part, when an explored thread uses it for the first time.
    ///
    /// - Parameters:
    ///   - reset: Makes the part as it was before the first execution. Runs before each execution.
    ///   - end: Frees what the execution has left. Runs when no explored thread uses the part any more.
    package static func register(reset: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void) {
      let threads = ExploredThreads.suspend()
      withParts { parts in parts.append(Part(reset: reset, end: end)) }
      ExploredThreads.resume(threads)
    }

    package static func reset() {
      for part in current { part.reset() }
    }

    package static func end() {
      for part in current { part.end() }
    }

    private static var current: [Part] { withParts { parts in parts } }

    private static func withParts<R>(_ body: (inout [Part]) -> R) -> R {
      _ = lock.lock(for: Primitive(.unfairLock))
      defer { lock.unlock(for: Primitive(.unfairLock)) }
      return unsafe body(&parts)
    }
  }
#endif
