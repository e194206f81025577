public import PlatformLocks
public import ReadWriteLocks

/// The algorithm of `Lifecycle`.
///
/// # Why
/// A count of deliveries in flight (rundown protection) is one word that all deliveries write, twice each: 10 ns alone, and
/// several times that when two threads deliver, because the line travels between their processors. Yet two deliveries
/// have nothing to tell each other. As in `BiasedReadWriteLock`, whose records this uses, a delivery writes down, on a line
/// of its own thread, what it is in, and looks at a word that nobody writes while the object is active. `invalidate`,
/// which happens once, looks at the lines of all threads and pays for the barriers of both sides.
///
/// # State
/// - `state`: a `LifecycleState`, which has the phases and what leads from one to another. `settled`, the value that the
///   fast path compares with, is "active, plain stores".
/// - `sleepers`: how many threads that wait for deliveries sleep, or are about to.
/// - `departures`: an event count: which deliveries bump when they leave and `sleepers` is not 0; they then wake all.
/// - In each thread's `ReaderRecord`: the lifecycle's anchor (the address of `state`, less 16), for a delivery in a slot. In
///   `UnslottedDeliveries`: the anchor, for a thread that had no slot left. A delivery inside a delivery of the same thread is noted nowhere else.
///
/// The body of `activate` counts as a delivery: it is noted in the same way, it is waited for in the same way, and a thread
/// in it is "inside".
///
/// # Entering, leaving, waiting
///
///     delivery                                   invalidate, or activate whose body has thrown
///     D1  slot = anchor                          W1  state = closed (compare-exchange)
///     D2  light barrier                          W2  heavy barrier
///     D3  state is open? else D5, dropped        W3  no slot of another thread holds anchor? then done
///     D4  the body                               W4  sleepers += 1
///     D5  slot = vacant                          W5  heavy barrier
///     D6  light barrier                          W6  seen = departures
///     D7  state is closed and sleepers > 0?      W7  no slot of another thread holds anchor? then W9
///         then departures += 1, wake all         W8  sleep while departures == seen; again from W6
///                                                W9  sleepers -= 1
///
/// # Invariants
/// 1. `state` is open only in `activating` and `active`, and never again after `invalidated`.
/// 2. While `state` is closed and W1 to W3 have passed, the only slots with the anchor are those of the waiting thread, and
///    those of deliveries between D1 and D5 that are going to be dropped.
/// 3. A slot is emptied by the thread that filled it, at the end of the same scope, whether that returns or throws. The
///    lifecycle outlives its deliveries, because the caller of `whileActive` holds it. So an anchor in a slot is that of a
///    living lifecycle, and one made later at the same place finds none of it.
///
/// # No delivery after `invalidate` has returned: D1–D3 against W1–W3
/// Dekker's pattern: each side stores, then loads what the other stores; at least one must see the other. The heavy
/// barrier makes every running thread execute a full barrier between W1 and W3 (threads that are not running executed
/// one when they were switched out). In a delivery it falls after D1: then W3 sees the slot, and waits; or before D1, and
/// so before D3: then D3 sees the closed state, and the delivery is dropped. The light barrier keeps the compiler from
/// moving D3 before D1; where the processor does so, both cases still hold, as they speak of where the barrier falls.
///
/// - x86-64: the reordering that matters is a store that stays in the store buffer while later loads go ahead; the
///   interrupt that membarrier sends drains it.
/// - arm64: D1 and D5 are `stlr`, D3 is an acquiring load; an order that the architecture may give the two is not relied
///   on. The body stays behind D3 (acquire) and before D5 (release).
/// - Without membarrier (`isFenced`) D1 and D5 are sequentially consistent exchanges, D3, D7, W1, W3, W4, W6 and W7
///   sequentially consistent accesses, and the pattern holds by the memory model. The plain store that the fast path made
///   before is followed by such an exchange before anything depends on it.
/// - Unslotted deliveries: D1, D5, W3 and W7 are sections of one lock. The section of D1 comes before that of W3, which
///   then sees the entry; or after it, and D3 reads a state that W1 stored before. The same for D5 and W7, D7 and W4.
///
/// # What they see of each other
/// D3 acquires what the activating thread did before it stored `activating` with release: the setup. It does not wait for
/// the body of `activate`, which may register with somebody who delivers at once. W3 or W7 reads with acquire what the
/// delivering thread stored with release after its body: what follows `invalidate` sees all that deliveries did.
///
/// # No lost wake-up: D5–D7 against W4–W8
/// The same pattern once more. A thread sleeps in W8 after it has seen a slot full in W7. The barrier of W5 falls in the
/// delivery before D5: then D7 sees `sleepers` above 0, and reports; or after it, and then W7 sees the slot empty. A
/// report that comes before W6 is one whose departure W7 sees, by the acquire of W6; one that comes after it changes the
/// word that the kernel compares in W8, or wakes the sleeping thread. Every report wakes all, so none is taken by a thread
/// that did not need it.
///
/// # Waiting for an activation
/// A caller of `activate` that comes while the body runs waits on `state` itself, with a flag in it that whoever leaves
/// `activating` or `failing` takes away and answers by waking all. (`activationFailed` leaves it to `failureEnded`.) Those
/// who wait look at the state again, so that a wake-up too many does no harm.
///
/// # Deadlocks
/// Threads that are inside do not wait for their own deliveries, and a thread inside that is not the first to invalidate
/// waits for nobody: so threads that invalidate, each in a delivery of its own, don't wait for one another.
///
/// Two threads that deliver to two objects, and each invalidate the other one's, would. Before W6 a thread that is in
/// anything notes in the registry, under its lock, what it waits for; the last one to come finds the circle there, of
/// whatever length, and traps. Not seen are waits for anything else (locks, queues, a body of `activate`), and deliveries
/// that are unslotted.
///
/// `Tests/Models` has D1 to W9 as a model that is checked exhaustively.
@usableFromInline
struct LifecycleCore: ~Copyable, Sendable {
  @usableFromInline
  let state: LockWord

  /// Stands at an offset of 4, from which `anchor` is computed.
  @usableFromInline
  let sleepers = LockWord()
  private let departures = LockWord()

  init(isFenced: Bool) {
    state = LockWord(LifecycleState(isFenced: isFenced).bits)
  }

  @inlinable
  @inline(__always)
  var anchor: UInt { sleepers.anchor(ofStructFrom: 4) }

  var current: LifecycleState { LifecycleState(bits: state.loadAcquiring()) }

  /// Applies an operation to the state, in one step.
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

  @inlinable
  @inline(__always)
  borrowing func enter() -> (hold: DeliveryHold, record: ReaderRecord) {
    // The record goes with the hold, so that a body which is inlined is left without loading it again.
    let record = ReaderRecord.current
    guard _fastPath(record.isLastSlotVacant) else {
      return (DeliveryHold(bits: callRarely(interlock_lifecycle_enter, anchor)), .current)
    }
    record.store(anchor, in: ReaderRecord.lastSlot)
    if _fastPath(state.loadAcquiring() == LifecycleState.settled) { return (.lastSlot, record) }
    return (DeliveryHold(bits: callRarely(interlock_lifecycle_enter_unsettled, anchor)), record)
  }

  @inlinable
  @inline(__always)
  borrowing func leave(_ hold: DeliveryHold, _ record: ReaderRecord) {
    guard _fastPath(hold == .lastSlot) else {
      callRarely(interlock_lifecycle_leave, anchor, hold.bits)
      return
    }
    record.store(ReaderRecord.vacant, in: ReaderRecord.lastSlot)
    if _slowPath(state.loadRelaxed() != LifecycleState.settled) {
      callRarely(interlock_lifecycle_report, anchor)
    }
  }

  /// Goes on after the anchor was stored to a slot, in a lifecycle that turned out not to be settled.
  @inline(never)
  fileprivate borrowing func enterUnsettled(_ record: ReaderRecord, index: Int) -> DeliveryHold {
    let state = current
    let hold: DeliveryHold
    if state.isFenced {
      record.exchange(anchor, in: index)
      hold = .fencedSlot(index)
    } else {
      hold = .slot(index)
    }
    if LifecycleState(bits: self.state.loadSequentiallyConsistent()).isOpen { return hold }
    leaveSlow(hold)
    return .dropped
  }

  @inline(never)
  fileprivate borrowing func enterSlow() -> DeliveryHold {
    guard current.isOpen else { return .dropped }
    let record = ReaderRecord.attached
    if isInside(record) { return .nested }
    guard let index = record.lastVacantIndex else {
      UnslottedDeliveries.shared.add(anchor)
      if current.isOpen { return .unslotted }
      leaveSlow(.unslotted)
      return .dropped
    }
    record.store(anchor, in: index)
    return enterUnsettled(record, index: index)
  }

  @inline(never)
  fileprivate borrowing func leaveSlow(_ hold: DeliveryHold) {
    switch hold.kind {
    case .nested, .dropped: return
    case .slot: ReaderRecord.current.store(ReaderRecord.vacant, in: hold.index)
    case .fencedSlot: ReaderRecord.current.exchange(ReaderRecord.vacant, in: hold.index)
    case .unslotted: UnslottedDeliveries.shared.remove(anchor)
    }
    reportDeparture()
  }

  /// Wakes the threads that wait for deliveries, if there are any.
  @inline(never)
  fileprivate borrowing func reportDeparture() {
    guard LifecycleState(bits: state.loadSequentiallyConsistent()).isClosed,
      sleepers.loadSequentiallyConsistent() != 0
    else { return }
    departures.addReleasing(1)
    departures.wake(count: .max)
    SuspendedInvalidations.shared.resume(anchor)
  }

  /// Whether the calling thread is in a delivery, or in the body of `activate`.
  private borrowing func isInside(_ record: ReaderRecord) -> Bool {
    // A delivery is unslotted only while all slots are in use.
    record.index(of: anchor) != nil
      || (record.lastVacantIndex == nil && UnslottedDeliveries.shared.includesCallingThread(anchor))
  }

  private var isCallingThreadInside: Bool { isInside(ReaderRecord.current) }

  // MARK: Activation

  /// Makes the caller the one that activates, once a present activation has ended; `nil` when there is nothing to do.
  ///
  /// - Returns: How the caller is inside, to be passed to `endActivation` or `failActivation`.
  borrowing func beginActivation() -> DeliveryHold? {
    while true {
      let isInside = isCallingThreadInside
      let (action, bits) = update { state in (state.activate(isInside: isInside), state.bits) }
      switch action {
      case .refuse: return nil
      case .wait: state.wait(while: bits)
      case .begin:
        // It is dropped when another thread has invalidated in between.
        let hold = enterSlow()
        return hold == .dropped ? nil : hold
      }
    }
  }

  borrowing func endActivation(_ hold: DeliveryHold) {
    if update({ $0.activationSucceeded() }) { state.wake(count: .max) }
    leave(hold, .current)
  }

  borrowing func failActivation(_ hold: DeliveryHold, label: StaticString) {
    let isFailing = update { $0.activationFailed() }
    leave(hold, .current)
    guard isFailing else { return }
    waitForDeliveries(label)
    if update({ $0.failureEnded() }) { state.wake(count: .max) }
  }

  // MARK: Invalidation

  /// Closes the lifecycle and waits for deliveries in flight on other threads.
  ///
  /// - Returns: Whether the caller is the first, and has to run its body.
  borrowing func invalidate(label: StaticString) -> Bool {
    let invalidation = update { $0.invalidate() }
    if invalidation.wakes { state.wake(count: .max) }
    if invalidation.isFirst || !isCallingThreadInside { waitForDeliveries(label) }
    return invalidation.isFirst
  }

  /// Waits until no other thread is in a delivery, in a lifecycle that is closed.
  private borrowing func waitForDeliveries(_ label: StaticString) {
    fence()
    var backoff = Backoff()
    while hasOtherDelivery {
      if backoff.spin() { continue }
      return sleepUntilDeliveriesEnd(label)
    }
  }

  private borrowing func sleepUntilDeliveriesEnd(_ label: StaticString) {
    let isInAnything = ReaderRecord.current.isInAnything
    if isInAnything, ReaderRegistry.shared.beginWait(for: anchor) {
      misuse(
        "Lifecycle \"\(label)\"", "waits for a delivery whose thread waits for a delivery on this thread",
        "invalidate other objects outside deliveries, or on another thread")
    }
    sleepers.addSequentiallyConsistent(1)
    fence()
    while true {
      let seen = departures.loadSequentiallyConsistent()
      guard hasOtherDelivery else { break }
      departures.wait(while: seen)
    }
    _ = sleepers.subtractReleasing(1)
    if isInAnything { ReaderRegistry.shared.endWait() }
  }

  private var hasOtherDelivery: Bool {
    ReaderRegistry.shared.hasOtherReader(of: anchor)
      || UnslottedDeliveries.shared.includesOtherThread(anchor)
  }

  /// The barrier for both sides; none is needed where deliveries pay for their own.
  private borrowing func fence() {
    if !current.isFenced { AsymmetricFence.heavy() }
  }
}

// MARK: Invalidation by a task

// W1 to W9 for a task, which is suspended in W8 instead of sleeping; see `Lifecycle.invalidate()` and `SuspendedInvalidations`.
extension LifecycleCore {
  /// W1 and W2: closes the lifecycle.
  ///
  /// - Returns: Whether the caller is the first, and has to run its body.
  borrowing func close() -> Bool {
    let invalidation = update { $0.invalidate() }
    if invalidation.wakes { state.wake(count: .max) }
    fence()
    return invalidation.isFirst
  }

  /// W3 and W7.
  var hasDeliveryElsewhere: Bool { hasOtherDelivery }

  /// W4 and W5: from now on deliveries that end report that.
  borrowing func beginSuspension() {
    sleepers.addSequentiallyConsistent(1)
    fence()
  }

  /// W6.
  var departureCount: UInt32 { departures.loadSequentiallyConsistent() }

  /// W9.
  borrowing func endSuspension() {
    _ = sleepers.subtractReleasing(1)
  }
}

// MARK: Slow paths beside inlined fast paths

@c
@usableFromInline
func interlock_lifecycle_enter(_ anchor: UInt, _: UInt) -> UInt {
  borrow(LifecycleCore.self, at: anchor) { $0.enterSlow().bits }
}

@c
@usableFromInline
func interlock_lifecycle_enter_unsettled(_ anchor: UInt, _: UInt) -> UInt {
  borrow(LifecycleCore.self, at: anchor) {
    $0.enterUnsettled(ReaderRecord.current, index: ReaderRecord.lastSlot).bits
  }
}

@c
@usableFromInline
func interlock_lifecycle_leave(_ anchor: UInt, _ hold: UInt) -> UInt {
  borrow(LifecycleCore.self, at: anchor) { $0.leaveSlow(DeliveryHold(bits: hold)) }
  return 0
}

@c
@usableFromInline
func interlock_lifecycle_report(_ anchor: UInt, _: UInt) -> UInt {
  borrow(LifecycleCore.self, at: anchor) { $0.reportDeparture() }
  return 0
}
