public import DeadlockDetector
public import LockSupport
internal import TaskWaiters
public import ThreadRecords

/// The algorithm of `Lifecycle`.
///
/// # Why
/// A count of running deliveries (rundown protection) is one word that all deliveries write, and its cache
/// line travels between their processors. As a reader of `BiasedReadWriteLock` does, a delivery publishes
/// itself in a slot of its own (`SlotTable`). It then checks a word that no thread writes while the object is
/// active. `invalidate`, which happens once, scans the slots.
///
/// # State
/// - `state`: a `LifecycleState`, which has the phases and the transitions between them.
/// - `sleepers`: the number of threads that sleep, or are about to sleep, until deliveries end.
/// - `departures`: an event count. A delivery that ends while `sleepers` is not 0 increments it and wakes
///   all.
/// - `waitingTasks`: the number of tasks that wait for deliveries, in the `TaskWaiterTable`. A delivery
///   that ends while this number is not 0 takes the tasks from the table and resumes them.
/// - A delivery stores the lifecycle's key in a slot of the `SlotTable`, and in an entry of its thread's
///   `ThreadRecord`. Without a vacant slot or entry, it is recorded in `UnslottedDeliveries`. A nested
///   delivery is not recorded again.
///
/// The state is *open* while deliveries are admitted, and *closed* when threads may wait for deliveries to
/// end. The body of `activate` counts as a delivery.
///
/// # Steps
///
///     delivery                                   invalidate, or activate whose body has thrown
///     D1  slot: vacant to key                    W1  state = closed (compare-exchange)
///     D2  state is open? else D4, D5, dropped    W2  no slot of another thread holds the key? then done
///     D3  the body                               W3  sleepers += 1; barrier on all threads
///     D4  slot = vacant                          W4  seen = departures
///     D5  state is closed and sleepers > 0?      W5  no slot of another thread holds the key? then W7
///         then departures += 1, wake all         W6  sleep while departures == seen; again from W4
///                                                W7  sleepers -= 1
///
/// The inlined fast path compares the state with `settled`: active, and no thread waits for an activation. In
/// any other state it performs D4 and calls a function out of line. If the state is open, this function
/// begins again with D1, otherwise it performs D5. Before W3, a thread repeats W2 for a few microseconds.
///
/// For a task, read `waitingTasks` for `sleepers`. At W4 it joins the list of waiting tasks, and at W6 it is
/// suspended. If W5 finds no slot, the task leaves the list. At D5 the delivery takes all tasks from the list
/// and resumes them.
///
/// # No delivery after `invalidate` has returned
/// Dekker's pattern: D1, D2, W1 and W2 are sequentially consistent, so they have one total order. If D2 comes
/// before W1, so does D1, and W2 finds the slot. If D2 comes after W1, it sees the closed state, and the
/// delivery is dropped: `state` is never open again after `invalidated`. A delivery without a slot performs
/// D1 under a lock: it adds an entry to a list. W2 and W5 search the list under the same lock. If D1 comes
/// first, W2 finds the entry. Otherwise D2 reads the state that W1 has stored, or a later one.
///
/// The thread that filled a slot vacates it, in the same scope, and the caller of `whileActive` keeps the
/// lifecycle alive. So each key in a slot belongs to a live lifecycle.
///
/// # Memory ordering
/// D2 acquires what the activating thread did before it stored `activating` with release. W2 or W5 acquires
/// what the delivering thread released at D4. So the code after `invalidate` sees all that deliveries did.
/// On arm64, D1 is `casal`, D2 `ldar` and D4 `stlr`.
///
/// # Waking
/// D4 and D5 have no barrier between them: W3 makes all threads execute one (`ProcessBarrier`). If that
/// comes before D4, D5 sees the closed state and `sleepers`. Otherwise W5 sees the vacant slot. Where the
/// system has no such barrier, the thread or task wakes up after a millisecond, and checks again.
///
/// A caller of `activate` that arrives while another body runs sleeps on `state` itself, and sets a flag in
/// it. The thread that next makes the phase `active`, `inactive` or `invalidated` clears the flag and wakes
/// all.
///
/// # Deadlocks
/// A thread inside a delivery does not wait for its own deliveries. If another call was first to
/// invalidate, a thread inside does not wait at all. Two threads in deliveries to two objects would wait
/// forever if each invalidated the object to which the other delivers. `DeliveryWaits` finds such cycles of
/// any length, and the process traps. Waits for anything else, and deliveries without a slot, are not
/// tracked.
@usableFromInline
@frozen
struct LifecycleCore: ~Copyable, Sendable {
  @usableFromInline
  let state: LockWord

  /// The number of threads that sleep, or are about to sleep, until deliveries end.
  ///
  /// This word must stay 4 bytes after the beginning of the struct: `key`, which identifies the lifecycle, is
  /// computed from its address.
  @usableFromInline
  let sleepers = LockWord()
  let departures = LockWord()
  let waitingTasks = LockWord()

  @usableFromInline
  let node: LockNode
  /// Represents the running body of `activate` in the deadlock detector, because other callers of
  /// `activate` wait for its end.
  let activation: LockNode

  init(_ primitive: Primitive) {
    node = LockNode(primitive)
    activation = LockNode(primitive.part(.activation))
    state = LockWord(LifecycleState().bits)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  var key: UInt { sleepers.key(ofStructFrom: 4) }

  var current: LifecycleState { LifecycleState(bits: state.loadAcquiring()) }

  /// Applies an operation to the state atomically, and returns the operation's result.
  ///
  /// The operation runs again if another thread has changed the state, so it must have no other effect.
  private borrowing func update<Result>(_ operation: (inout LifecycleState) -> Result) -> Result {
    var old = state.loadSequentiallyConsistent()
    while true {
      var new = LifecycleState(bits: old)
      let result = operation(&new)
      let (exchanged, original) = state.compareExchangeSequentiallyConsistent(
        expected: old, desired: new.bits)
      if exchanged { return result }
      old = original
    }
  }

  // MARK: Deliveries

  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func enter() -> (token: DeliveryToken, record: ThreadRecord) {
    // The `ThreadRecord` is returned with the token, so that `leave` need not look it up again.
    let record = ThreadRecord.current
    if _fastPath(record[entry: ThreadRecord.lastEntry] == 0) {
      let slot = record.deliverySlot
      if _fastPath(slot.fill(with: key)) {  // D1
        if _fastPath(state.loadSequentiallyConsistent() == LifecycleState.settled) {  // D2
          record[entry: ThreadRecord.lastEntry] = key
          return (.inSlot(slot, entry: ThreadRecord.lastEntry), record)
        }
        slot.vacate()
      }
    }
    return (DeliveryToken(bits: callOutOfLine(interlock_lifecycle_enter, key)), record)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func leave(_ token: DeliveryToken, _ record: ThreadRecord) {
    guard _fastPath(token.isInSlotWithLastEntry) else {
      callOutOfLine(interlock_lifecycle_leave, key, token.bits)
      return
    }
    record[entry: ThreadRecord.lastEntry] = 0
    token.slot.vacate()  // D4
    ProcessBarrier.light()
    // Step D5 of the header.
    if _slowPath(state.loadRelaxed() != LifecycleState.settled) {
      callOutOfLine(interlock_lifecycle_report, key)
    }
  }

  @inline(never)
  fileprivate borrowing func enterSlow() -> DeliveryToken {
    guard current.isOpen else {
      // The fast path may have filled a slot for a moment. A thread that saw this slot may now sleep until a
      // delivery ends, so wake it.
      reportDeparture()
      return .dropped
    }
    let record = ThreadRecord.current
    if isInside(record) { return .nested }
    let token = publish(record)
    if LifecycleState(bits: state.loadSequentiallyConsistent()).isOpen { return token }
    leaveSlow(token)
    return .dropped
  }

  private borrowing func publish(_ record: ThreadRecord) -> DeliveryToken {
    if let entry = record.lastVacantEntry {
      var first = record.deliverySlot
      defer { record.deliverySlot = first }
      if let slot = SlotTable.publish(key, in: &first, isNested: entry < ThreadRecord.lastEntry) {
        record[entry: entry] = key
        return .inSlot(slot, entry: entry)
      }
    }
    UnslottedDeliveries.shared.add(key)
    return .unslotted
  }

  @inline(never)
  fileprivate borrowing func leaveSlow(_ token: DeliveryToken) {
    switch token {
    case .nested, .dropped: return
    case .unslotted: UnslottedDeliveries.shared.remove(key)
    default:
      ThreadRecord.current[entry: token.entry] = 0
      token.slot.vacate()
    }
    reportDeparture()
  }

  /// Wakes the threads and tasks that wait for deliveries to end, so that they check again.
  ///
  /// Does nothing unless the state is closed, because only then can threads or tasks wait for deliveries.
  @inline(never)
  fileprivate borrowing func reportDeparture() {
    ProcessBarrier.light()
    guard LifecycleState(bits: state.loadSequentiallyConsistent()).isClosed else { return }
    if sleepers.loadSequentiallyConsistent() != 0 {
      departures.addReleasing(1)
      WaitHooks.didRelease(key)
      departures.wake(count: .max)
    }
    if waitingTasks.loadSequentiallyConsistent() != 0 {
      for waiter in TaskWaiterTable.shared.queue(of: key)?.takeAll() ?? [] { waiter.resume() }
    }
  }

  /// Whether the calling thread is in a body of `whileActive` or `activate` of this lifecycle.
  private borrowing func isInside(_ record: ThreadRecord) -> Bool {
    record.index(of: key) != nil || UnslottedDeliveries.shared.includesCallingThread(key)
  }

  var isCallingThreadInside: Bool { isInside(ThreadRecord.current) }

  // MARK: Activation

  /// Waits until no other activation is running, and then begins one if the object is inactive.
  ///
  /// - Returns: The token of the body of `activate`, which counts as a delivery; the caller must pass the
  ///   token to `endActivation` or `failActivation`. `nil` if the object was activated or invalidated
  ///   before, or if the calling thread would wait for itself.
  borrowing func beginActivation() -> DeliveryToken? {
    var wait = RecordedWait(for: key, activation.primitive(.activation))
    while true {
      let isInside = isCallingThreadInside
      let (action, bits) = update { state in (state.activate(isInside: isInside), state.bits) }
      switch action {
      case .refuse: return nil
      case .wait: if !wait.willSleep() { state.wait(while: bits) }
      case .begin:
        // The token is `dropped` if another thread has invalidated the lifecycle since the state was updated
        // above.
        let token = enterSlow()
        return token == .dropped ? nil : token
      }
    }
  }

  borrowing func endActivation(_ token: DeliveryToken) {
    if update({ $0.activationSucceeded() }) { wakeAll() }
    leave(token, .current)
  }

  borrowing func failActivation(_ token: DeliveryToken, label: StaticString) {
    let isFailing = update { $0.activationFailed() }
    leave(token, .current)
    guard isFailing else { return }
    waitForDeliveries(label)
    if update({ $0.failureEnded() }) { wakeAll() }
  }

  /// Wakes the threads that wait for an activation to end.
  private borrowing func wakeAll() {
    WaitHooks.didRelease(key)
    state.wake(count: .max)
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
    node.willAcquire(.write)
    defer { node.didRelease() }
    var backoff = Backoff()
    while hasOtherDelivery {  // W2
      if backoff.spin() { continue }
      return sleepUntilDeliveriesEnd(label)
    }
  }

  private borrowing func sleepUntilDeliveriesEnd(_ label: StaticString) {
    let isInAnything = ThreadRecord.current.isInAnything
    if isInAnything, DeliveryWaits.shared.begin(for: key) {
      misuse(
        Lifecycle.name(label), "waits for a delivery whose thread waits for a delivery on this thread",
        "invalidate other objects outside deliveries, or on another thread")
    }
    var wait = RecordedWait(for: key, node.primitive(.lifecycle))
    sleepers.addSequentiallyConsistent(1)  // W3
    let deadline = SlotTable.announceWait()
    while true {
      let seen = departures.loadSequentiallyConsistent()  // W4
      guard hasOtherDelivery else { break }  // W5
      if wait.willSleep() { continue }
      // W6
      departures.wait(while: seen, until: deadline())
    }
    _ = sleepers.subtractReleasing(1)  // W7
    if isInAnything { DeliveryWaits.shared.end() }
  }

  /// Puts the waiter of the calling task into `queue` if another thread is still in a delivery (a body of
  /// `whileActive` or `activate`).
  ///
  /// - Returns: Whether the task must wait.
  borrowing func joinUnlessDeliveriesEnded(_ waiter: TaskWaiter, _ queue: TaskWaiterQueue) -> Bool {
    queue.withList { $0.append(waiter) }  // W4
    if hasOtherDelivery { return true }  // W5
    queue.withList { _ = $0.remove(waiter) }
    return false
  }

  /// Whether another thread is in a delivery (a body of `whileActive` or `activate`) of this lifecycle.
  var hasOtherDelivery: Bool {
    let own = ThreadRecord.current.index(of: key) == nil ? 0 : 1
    return SlotTable.count(of: key) > own || UnslottedDeliveries.shared.includesOtherThread(key)
  }
}

// MARK: Slow paths beside inlined fast paths

@c
@usableFromInline
func interlock_lifecycle_enter(_ key: UInt, _: UInt) -> UInt {
  borrow(LifecycleCore.self, at: key) { $0.enterSlow().bits }
}

@c
@usableFromInline
func interlock_lifecycle_leave(_ key: UInt, _ token: UInt) -> UInt {
  borrow(LifecycleCore.self, at: key) { $0.leaveSlow(DeliveryToken(bits: token)) }
  return 0
}

@c
@usableFromInline
func interlock_lifecycle_report(_ key: UInt, _: UInt) -> UInt {
  borrow(LifecycleCore.self, at: key) { $0.reportDeparture() }
  return 0
}
