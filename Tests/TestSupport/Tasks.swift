/// A gate that tasks wait at, without a lock of the package.
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

/// Runs `body` on a new thread, and suspends the task until it has returned.
///
/// A body that waits for tasks does not take one of the threads that those need.
package func onAThread<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
  await withCheckedContinuation { continuation in
    PlatformThread { continuation.resume(returning: body()) }.detach()
  }
}
