internal import ThreadRecords

// Invalidation by a task, which waits without blocking a thread.

extension Lifecycle {
  /// Invalidates the object without blocking a thread: when it returns, no delivery is running or will run.
  ///
  /// The calling task is suspended until deliveries in flight have ended, and the body of `activate` if that runs. In
  /// everything else it is the form that blocks. It waits also when the task is cancelled.
  ///
  /// - Parameter body: Unregisters the object. It runs where the caller is, after the last delivery has ended.
  /// - Returns: Whether it was this call that invalidated the object and ran `body`.
  /// - Throws: What `body` throws; the object stays invalidated.
  /// - Complexity: O(*n*) in the number of threads that have made deliveries, and a system call; again for each delivery that it
  ///   waits for.
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

  /// Invalidates the object without blocking a thread: when it returns, no delivery is running or will run.
  ///
  /// - Returns: Whether it was this call that did.
  @discardableResult
  nonisolated(nonsending)
    public func invalidate() async -> Bool
  {
    await invalidate {}
  }

  /// A task looks again every millisecond, as a thread does that may have missed the end of a delivery.
  nonisolated(nonsending)
    private func waitForDeliveries() async
  {
    while core.hasOtherDelivery {
      // In a task of its own, which the cancellation of this one does not wake.
      await Task.detached { try? await Task.sleep(for: SlotTable.longestSleep) }.value
    }
  }
}
