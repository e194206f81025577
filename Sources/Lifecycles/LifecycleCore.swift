public import InterlockCore
internal import InterlockWaits

/// The algorithm of `Lifecycle`: rundown protection.
///
/// # Why
/// One word has the phase of the lifecycle and the number of running deliveries. So the beginning of a delivery
/// and an invalidation are ordered by that word alone. All deliveries write it: its cache line travels between
/// the processors that deliver to one object at the same time.
///
/// # State
/// - `state`: a `LifecycleState`, which has the phases, the transitions between them, and the number of
///   deliveries. Its flag `hasWaiters` says that threads or tasks may wait.
/// - `changes`: an event count. It is incremented, and then all waiters are woken, when an activation has
///   ended, or a delivery to a closed lifecycle, and `hasWaiters` is set.
/// - The `TaskWaiterTable` has the waiting tasks.
/// - Each thread has a chain of its own deliveries (`Delivery`). A nested delivery is counted again, and has
///   its own link in the chain.
///
/// The state is *open* while deliveries are admitted, and *closed* when threads may wait for deliveries to
/// end. The body of `activate` counts as a delivery.
///
/// # Steps
///
///     delivery                                   invalidate, or activate whose body has thrown
///     D1  state is open? else dropped            W1  state = closed
///     D2  state += 1 delivery; was open?         W2  own = length of the own chain; no others? then done
///         else D4, D5, dropped                   W3  seen = changes
///     D3  the body                               W4  no others? then done; else state has waiters
///     D4  state -= 1 delivery                    W5  sleep while changes == seen; again from W3
///     D5  was closed, with waiters?
///         then changes += 1, wake all
///
/// D1 writes nothing, so dropped deliveries don't keep the number above 0 for a thread that waits. Before W3,
/// a thread repeats W2 for a few microseconds. A task joins the list of waiting tasks at W3, and is suspended
/// at W5. Then it has no own deliveries: the thread that it goes on with may be in some. A thread that waits for the end of an activation acts as from W3, with another condition at W4.
///
/// # No delivery after `invalidate` has returned
/// All changes of the state are read-modify-writes, so they have one order. If D2 comes before W1, then W2 and
/// W4 count the delivery until D4. Otherwise D2 finds a closed state. The state is never open again after
/// `invalidated`, and opens after `failing` only when no delivery runs.
///
/// # Memory ordering
/// D2 acquires what the activating thread released with the phase. W2 and W4 acquire what D4 released: each
/// later change of the word is a read-modify-write, and so continues the release sequence. D4 also keeps the
/// optimizer from moving a retain of the delivery's result behind it, because it is a read-modify-write.
///
/// # Waking
/// If D4 finds no flag, it comes before W4, which does not count the delivery. If D4 finds the flag, it
/// releases, by D5, the new value of `changes`. Either W3 acquires that value, and W4 does not count the
/// delivery, or W5 finds that `changes` differs from `seen`, or D5 wakes it. A task has joined the list before
/// W4, so D5 finds it there. The flag stays until an operation takes it and wakes all.
///
/// # Deadlocks
/// A thread inside a delivery does not wait for its own deliveries. If another call was first to
/// invalidate, a thread inside does not wait at all. Two threads in deliveries to two objects would wait
/// forever if each invalidated the object to which the other delivers. `DeliveryWaits` finds such cycles of
/// any length, and the process traps. Waits for anything else are not tracked.
@usableFromInline
@frozen
struct LifecycleCore: ~Copyable, Sendable {
  @usableFromInline
  let state: AtomicWord

  /// This word must stay 8 bytes after the beginning of the struct: `key`, which identifies the lifecycle, is
  /// computed from its address.
  @usableFromInline
  let changes = LockWord()

  @usableFromInline
  let probe: Probe
  /// Represents the running body of `activate` in the deadlock detector, because other callers of
  /// `activate` wait for its end.
  let activation: Probe

  init(_ primitive: Primitive) {
    probe = Probe(primitive)
    activation = Probe(primitive.part(.activation))
    state = AtomicWord(LifecycleState().bits)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  var key: UInt { changes.key(ofStructFrom: 8) }

  var current: LifecycleState { LifecycleState(bits: state.load(.acquiring)) }

  /// Applies an operation to the state atomically, and returns the operation's result.
  ///
  /// The operation runs again if another thread has changed the state, so it must have no other effect.
  private borrowing func update<Result>(_ operation: (inout LifecycleState) -> Result) -> Result {
    var old = state.load(.acquiring)
    while true {
      var new = LifecycleState(bits: old)
      let result = operation(&new)
      if new.bits == old { return result }
      let (exchanged, original) = state.compareExchange(
        expected: old, desired: new.bits, .acquiringAndReleasing)
      if exchanged { return result }
      old = original
    }
  }

  // MARK: Deliveries

  /// Returns whether a delivery has begun; if so, the caller must call `endDelivery` after it.
  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func beginDelivery() -> Bool {
    guard LifecycleState(bits: state.load(.relaxed)).isOpen else { return false }  // D1
    let old = state.add(LifecycleState.delivery, .acquiring)  // D2
    if _fastPath(LifecycleState(bits: old).isOpen) { return true }
    endDelivery()
    return false
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func endDelivery() {
    probe.willRelease()
    let old = state.add(0 &- LifecycleState.delivery, .releasing)  // D4
    if _slowPath(LifecycleState(bits: old).endOfDeliveryWakes) { wakeAll() }  // D5
  }

  /// Wakes the threads and tasks that wait, so that they check again.
  @usableFromInline
  @inline(never)
  borrowing func wakeAll() {
    changes.addReleasing(1)
    Probe.willWake(key)
    changes.wake(count: .max)
    for waiter in TaskWaiterTable.queue(of: key)?.takeAll() ?? [] { waiter.resume() }
  }

  /// Whether the calling thread is in a body of `whileActive` or `activate` of this lifecycle.
  var isCallingThreadInside: Bool { Delivery.count(of: key) > 0 }

  // MARK: Activation

  /// Waits until no other activation is running, and then begins one if the object is inactive.
  ///
  /// - Returns: Whether an activation has begun, whose body counts as a delivery; the caller must then call
  ///   `endActivation` or `failActivation`. `false` if the object was activated or invalidated before, or if
  ///   the calling thread would wait for itself.
  borrowing func beginActivation() -> Bool {
    let isInside = isCallingThreadInside
    var wait = Probe.Wait(for: key, activation.primitive(.activation))
    while true {
      let seen = changes.loadAcquiring()
      switch update({ $0.activate(isInside: isInside) }) {
      case .refuse: return false
      case .begin: return true
      case .wait:
        if !wait.willSleep() { changes.wait(while: seen) }
      }
    }
  }

  borrowing func endActivation() {
    activation.willRelease()
    if update({ $0.activationSucceeded() }) { wakeAll() }
    endDelivery()
  }

  borrowing func failActivation(label: StaticString) {
    let isFailing = update { $0.activationFailed() }
    endDelivery()
    if isFailing { waitForDeliveries(label) }
    activation.willRelease()
    if isFailing, update({ $0.failureEnded() }) { wakeAll() }
  }

  // MARK: Invalidation

  /// Makes `whileActive` run no more bodies, and waits for bodies that are running on other threads.
  ///
  /// - Returns: Whether this is the first invalidation. Only its caller runs the body of `invalidate`.
  borrowing func invalidate(label: StaticString) -> Bool {
    let isFirst = close()
    if isFirst || !isCallingThreadInside { waitForDeliveries(label) }
    return isFirst
  }

  /// Makes `whileActive` run no more bodies, without waiting for those that are running.
  ///
  /// - Returns: Whether this is the first invalidation. Only its caller runs the body of `invalidate`.
  borrowing func close() -> Bool {
    let invalidation = update { $0.invalidate() }  // W1
    if invalidation.wakes { wakeAll() }
    return invalidation.isFirst
  }

  /// Waits until no other thread is in a delivery (a body of `whileActive` or `activate`) of this lifecycle.
  ///
  /// The caller must already have closed the lifecycle, so that `whileActive` begins no more bodies. Traps,
  /// with `label` in the message, if this wait would close a cycle of threads that wait for one another.
  private borrowing func waitForDeliveries(_ label: StaticString) {
    probe.willAcquire(.write)
    defer { probe.didStopWaiting() }
    var backoff = Backoff()
    while hasOtherDelivery {  // W2
      if backoff.spin() { continue }
      return sleepUntilDeliveriesEnd(label)
    }
  }

  private borrowing func sleepUntilDeliveriesEnd(_ label: StaticString) {
    let isInDelivery = Delivery.innermost != 0
    if isInDelivery, DeliveryWaits.shared.begin(for: key) {
      misuse(
        Lifecycle.name(label), "waits for a delivery whose thread waits for a delivery on this thread",
        "invalidate other objects outside deliveries, or on another thread")
    }
    var wait = Probe.Wait(for: key, probe.primitive(.lifecycle))
    while true {
      let seen = changes.loadAcquiring()  // W3
      guard mustWaitForDeliveries(besides: ownDeliveries) else { break }  // W4
      if !wait.willSleep() { changes.wait(while: seen) }  // W5
    }
    if isInDelivery { DeliveryWaits.shared.end() }
  }

  /// Puts the waiter of the calling task into `queue` if another thread is still in a delivery (a body of
  /// `whileActive` or `activate`).
  ///
  /// - Parameter own: The number of deliveries that the task is in.
  /// - Returns: Whether the task must wait.
  borrowing func joinUnlessDeliveriesEnded(
    _ waiter: TaskWaiter, _ queue: TaskWaiterQueue, besides own: UInt64 = 0
  ) -> Bool {
    queue.withList { $0.append(waiter) }  // W3
    if mustWaitForDeliveries(besides: own) { return true }  // W4
    queue.withList { _ = $0.remove(waiter) }
    return false
  }

  /// Whether another thread is in a delivery of this lifecycle, whose end then wakes those that wait.
  private borrowing func mustWaitForDeliveries(besides own: UInt64) -> Bool {
    update { $0.waitForDeliveries(besides: own) }
  }

  /// The number of deliveries of this lifecycle that the calling thread is in.
  var ownDeliveries: UInt64 { Delivery.count(of: key) }

  /// Whether another thread is in a delivery (a body of `whileActive` or `activate`) of this lifecycle.
  var hasOtherDelivery: Bool { current.deliveries > ownDeliveries }
}
