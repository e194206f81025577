internal import ThreadRecords

// Invalidation by a task. The task waits without blocking a thread.

extension Lifecycle {
  /// Invalidates the object without blocking a thread: when it returns, no delivery is running or will run.
  ///
  /// A delivery is a call that runs in `whileActive`. The calling task is suspended until running deliveries
  /// and a running body of `activate` have ended. Otherwise this function acts as the blocking one. A
  /// cancelled task waits as well.
  ///
  /// - Parameter body: Unregisters the object. It runs on the caller's actor, after the last delivery has
  ///   ended.
  /// - Returns: Whether this call invalidated the object and ran `body`.
  /// - Throws: What `body` throws; the object stays invalidated.
  /// - Complexity: O(*n*) in the number of processors, and again each millisecond while it waits.
  @discardableResult
  nonisolated(nonsending)
    public func invalidate<E: Error>(_ body: () throws(E) -> Void) async throws(E) -> Bool
  {
    let isFirst = core.close()
    await waitForDeliveries()
    guard isFirst else { return false }
    try body()
    return true
  }

  /// Invalidates the object without blocking a thread.
  ///
  /// When it returns, no delivery (a body of `whileActive`) is running or will run.
  ///
  /// - Returns: Whether this call invalidated the object.
  @discardableResult
  nonisolated(nonsending)
    public func invalidate() async -> Bool
  {
    await invalidate {}
  }

  /// Waits for running deliveries (bodies of `whileActive`) to end, by checking every millisecond.
  ///
  /// The variant of `invalidate` that blocks its thread has to check every millisecond, too: the end of a
  /// delivery may fail to wake the sleeping thread (see `LifecycleCore`).
  nonisolated(nonsending)
    private func waitForDeliveries() async
  {
    while core.hasOtherDelivery {
      // The sleep is in a task of its own, which is not cancelled together with the calling task.
      await Task.detached { try? await Task.sleep(for: SlotTable.longestSleep) }.value
    }
  }
}
