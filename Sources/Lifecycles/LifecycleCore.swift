public import CInterlock
public import InterlockCore
internal import InterlockTasks
internal import InterlockWaits

/// The algorithm of `Lifecycle`: rundown protection.
///
/// # Why
/// One word has the phase of the lifecycle. Were deliveries counted in it, its cache line would travel between the
/// processors that deliver to one object at the same time. So a delivery announces itself in a slot of the thread's
/// own, as a reader of `BiasedReadWriteLock` does, and only reads the word. Invalidations are rare, and scan the slots.
///
/// # State
/// - `state`: a `LifecycleState`, which has the phases, the transitions between them, and the number of
///   deliveries without a slot (*counted* ones): those of threads whose slot and the next one are taken, and bodies of
///   `activate`. Its flag `hasWaiters` says that threads or tasks may wait.
/// - `SlotTable.deliveries` has the lifecycle's key once for each delivery in a slot.
/// - `changes`: an event count. It is incremented, and then all waiters are woken, when an activation has
///   ended, or a delivery to a closed lifecycle, and `hasWaiters` is set.
/// - The `TaskWaiterTable` has the waiting tasks.
/// - Each thread has a chain of its own deliveries (`Delivery`), in which each link says whether it is counted.
///
/// The state is *open* while deliveries are admitted, and *closed* when threads may wait for deliveries to end.
///
/// # Steps
///
///     delivery                                   invalidate, or activate whose body has thrown
///     D1  state is open? else dropped            W1  state = closed
///     D2  slot: from vacant to key               W2  no slot or count beside the own chain's? then done
///     D3  state is open? else D4, D5, dropped    W3  seen = changes
///         the body                               W4  state has waiters; heavy barrier; W2 once more
///     D4  slot = vacant; light barrier           W5  sleep while changes == seen; again from W3
///     D5  state is closed, with waiters? then changes += 1, wake all
///
/// A counted delivery adds itself to `state` (C2), which also tells whether it is open, and subtracts itself (C4), which
/// also tells whether to wake (C5). D1 writes nothing, so dropped deliveries keep no thread waiting. Before W3,
/// a thread repeats W2 for a few microseconds. A task joins the list of waiting tasks at W3, and is suspended
/// at W5. Then it has no own deliveries: the thread that it goes on with may be in some. A thread that waits for the end
/// of an activation acts as from W3, with another condition at W4.
///
/// # No delivery after `invalidate` has returned
/// D2, D3, W1 and the scan of W2 are sequentially consistent. If D3 comes before W1, so does D2, and the scan finds the
/// slot until D4. Otherwise D3 finds a closed state. C2 and W1 change one word: either W2 sees the count, or C2 sees the
/// closed state. The state is never open again after `invalidated`, and opens after `failing` only when no delivery runs.
///
/// # Memory ordering
/// D3 and C2 acquire what the activating thread released with the phase. The scan and the load of W2 acquire what D4 and
/// C4 released. `Slot.vacate` keeps the optimizer from moving a retain of the delivery's result behind it.
///
/// # Waking
/// If D4 precedes its thread's part of the heavy barrier, W4 finds the slot vacant. Otherwise D5 follows it, and finds
/// the flag. Then it releases the new value of `changes`: W3 acquires that value, and W4 finds the slot vacant, or W5
/// finds that `changes` differs from `seen`, or D5 wakes it. A task has joined the list before W4. Without the system's
/// barrier, D4 is an exchange, and the total order of D4, D5 and W4 does the same. C4 and W4 change one word.
/// The flag stays until an operation takes it and wakes all.
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
        expected: old, desired: new.bits, .sequentiallyConsistent)
      if exchanged { return result }
      old = original
    }
  }

  // MARK: Deliveries

  /// Begins a delivery, unless the state is closed; returns the announcement that the caller must pass to
  /// `endDelivery` after it.
  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func beginDelivery() -> Delivery.Announcement? {
    guard LifecycleState(bits: state.load(.relaxed)).isOpen else { return nil }  // D1
    let slot = Delivery.firstSlot
    if _fastPath(slot.fill(with: key)) {  // D2
      if _fastPath(LifecycleState(bits: state.load(.sequentiallyConsistent)).isOpen) {  // D3
        return Delivery.Announcement(in: slot)
      }
      vacate(slot)
      return nil
    }
    return beginDeliveryElsewhere()
  }

  /// Begins a delivery in another slot than the thread's first one, or counts it.
  @usableFromInline
  @inline(never)
  borrowing func beginDeliveryElsewhere() -> Delivery.Announcement? {
    if let slot = Delivery.publish(key) {  // D2
      if LifecycleState(bits: state.load(.sequentiallyConsistent)).isOpen {  // D3
        return Delivery.Announcement(in: slot)
      }
      vacate(slot)
      return nil
    }
    let old = state.add(LifecycleState.delivery, .acquiring)  // C2
    if LifecycleState(bits: old).isOpen { return .counted }
    endCountedDelivery()
    return nil
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func endDelivery(_ announcement: Delivery.Announcement) {
    probe.willRelease()
    if _fastPath(announcement.isInSlot) { vacate(announcement.slot) } else { endCountedDelivery() }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func vacate(_ slot: Slot) {
    if _slowPath(interlock_exchanges_deliveries()) {
      _ = slot.withWord { $0.exchange(Slot.vacant, .sequentiallyConsistent) }  // D4
    } else {
      slot.vacate()  // D4
      ProcessBarrier.light()
    }
    let state = LifecycleState(bits: state.load(.sequentiallyConsistent))  // D5
    if _slowPath(state.endOfDeliveryWakes) { wakeAll() }
  }

  @usableFromInline
  @inline(never)
  borrowing func endCountedDelivery() {
    let old = state.add(0 &- LifecycleState.delivery, .releasing)  // C4
    if LifecycleState(bits: old).endOfDeliveryWakes { wakeAll() }  // C5
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
  var isCallingThreadInside: Bool { !ownDeliveries.isZero }

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
    endDelivery(.counted)
  }

  borrowing func failActivation(label: StaticString) {
    let isFailing = update { $0.activationFailed() }
    endDelivery(.counted)
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
    while hasDelivery(besides: ownDeliveries) {  // W2
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
  /// - Parameter own: The deliveries that the task is in.
  /// - Returns: Whether the task must wait.
  borrowing func joinUnlessDeliveriesEnded(
    _ waiter: TaskWaiter, _ queue: TaskWaiterQueue, besides own: Delivery.Count = Delivery.Count()
  ) -> Bool {
    queue.withList { $0.append(waiter) }  // W3
    if mustWaitForDeliveries(besides: own) { return true }  // W4
    queue.withList { _ = $0.remove(waiter) }
    return false
  }

  /// Whether another thread is in a delivery of this lifecycle, whose end then wakes those that wait.
  private borrowing func mustWaitForDeliveries(besides own: Delivery.Count) -> Bool {
    guard hasDelivery(besides: own) else { return false }
    update { $0.waitForDeliveries() }
    if ProcessBarrier.isAvailable { ProcessBarrier.heavy() }
    return hasDelivery(besides: own)
  }

  /// The deliveries of this lifecycle that the calling thread is in.
  var ownDeliveries: Delivery.Count { Delivery.count(of: key) }

  /// Whether a delivery (a body of `whileActive` or `activate`) of this lifecycle runs that is not among `own`.
  func hasDelivery(besides own: Delivery.Count) -> Bool {
    current.deliveries > own.counted || SlotTable.deliveries.count(of: key) > own.inSlots
  }
}
