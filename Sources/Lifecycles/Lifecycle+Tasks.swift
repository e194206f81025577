internal import InterlockCore
internal import InterlockTasks
internal import InterlockWaits

// The asynchronous `invalidate`: it suspends the calling task, and blocks no thread.

extension Lifecycle {
  /// Invalidates the object without blocking a thread: when this call returns, no delivery is running or will
  /// run.
  ///
  /// A delivery is a call that runs in `whileActive`. The calling task is suspended until running deliveries
  /// and a running body of `activate` have ended. Otherwise this function acts as the blocking `invalidate`.
  /// A cancelled task waits as well. A task that calls this on the thread of a delivery, inside it, does not wait
  /// for that delivery, if it is the only one: one that `Task.immediate` starts there, or one that goes on there
  /// because its executor runs jobs where they are enqueued.
  ///
  /// - **Wait**: it ends with the last delivery; a cancelled task waits on; no timeout; all together; no priority
  ///   is lent; a throw leaves the object invalidated.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - body: Unregisters the object. It runs on the caller's actor, after the last delivery has
  ///     ended.
  /// - Returns: Whether this call invalidated the object and ran `body`.
  /// - Throws: The error of `body`; the object stays invalidated.
  /// - Complexity: O(*p*) for *p* processors, and again for each delivery that ends.
  @discardableResult
  public func invalidate<E: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: () throws(E) -> Void
  ) async throws(E) -> Bool {
    let isFirst = core.close()
    await waitForDeliveries()
    guard isFirst else { return false }
    try body()
    return true
  }

  /// Invalidates the object without blocking a thread.
  ///
  /// When it returns, no delivery (a body of `whileActive`) is running or will run. It waits as the form with a
  /// body does.
  ///
  /// - Parameter isolation: The caller's isolation.
  /// - Returns: Whether this call invalidated the object.
  @discardableResult
  public func invalidate(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    await invalidate {}
  }

  /// Suspends the task until no other thread is in a delivery (a body of `whileActive` or `activate`).
  ///
  /// The caller must already have closed the lifecycle to new deliveries. Cancellation does not end the
  /// wait.
  private func waitForDeliveries(isolation: isolated (any Actor)? = #isolation) async {
    guard core.hasDelivery(besides: core.ownDeliveries) else { return }  // W2
    let queue = TaskWaiterTable.join(core.key)
    let waiter = TaskWaiter()
    var own = core.ownDeliveries
    while core.joinUnlessDeliveriesEnded(waiter, queue, besides: own) {  // W3, W4
      await waiter.waitUntilResumed()  // W5
      waiter.rearm()
      own = Delivery.Count()
    }
    TaskWaiterTable.leave(core.key)
  }
}
