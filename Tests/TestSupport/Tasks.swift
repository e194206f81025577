/// A gate at which tasks wait until it is opened; it uses none of the package's locks.
package actor TaskGate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init() {}

  /// Suspends until the gate is open.
  package func pass() async {
    if !isOpen { await withCheckedContinuation { waiting.append($0) } }
  }

  package func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}

/// Runs `body` in a new task that is already cancelled, and returns its result.
package func inCancelledTask<R: Sendable>(_ body: sending @escaping () async -> R) async -> R {
  await Task.detached {
    withUnsafeCurrentTask { $0?.cancel() }
    return await body()
  }.value
}

/// Runs `body` on a new thread, and suspends the calling task until `body` has returned.
///
/// While `body` blocks, it does not occupy a thread of the pool that runs tasks.
package func onAThread<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
  await withCheckedContinuation { continuation in
    PlatformThread { continuation.resume(returning: body()) }.detach()
  }
}
