internal import InterlockCore
internal import InterlockWaits
public import Protectors
internal import ReadWriteLocks
internal import UnfairLocks

// # Why
// Threads change a state under a lock, and an actor must get the changes in their order. Creating a task
// for each change can reorder them, and costs a wake-up for each. If changes are posted after the unlock,
// two threads can post theirs in the wrong order. So changes are posted inside the critical section, to a
// queue that one drain at a time empties on the actor.
//
// # State
// The lock of `state` guards all of it but `ended`. It is acquired inside the critical sections of the user.
// - `elements`: those that wait. `isScheduled`: whether a drain is scheduled.
// - `deliverer`: the thread that runs `drain`; 0 if none does.
// - `isDue`: a scheduled drain ran inside another drain, from a run loop in `receive`. The outer drain takes
//   over.
// - `room`: who waits for room, and the places that are kept.
// - `spare`: an empty array, whose capacity `drain` reuses.
// `ended` repeats `hasEnded` for `drain`, which checks it before each element.
//
// # Invariants
// I1. While elements wait, a drain is scheduled, or `isDue` is set. `post` sets `isScheduled` in the critical
//     section in which it appends, and then schedules a drain (P1). Only a scheduled drain clears it, in the
//     critical section in which it takes all elements (D2).
// I2. At most one drain is scheduled: only the call that has set `isScheduled` schedules one. `deliverNow` takes
//     elements, but does not clear it. So a scheduled drain stays scheduled, and may find no elements.
// I3. At most `limit` elements wait. Those that a drain has taken don't wait any more, so that at most
//     2 × `limit` are alive.
//
// # Order
// Elements are appended under the lock, so in the order of the posts. `drain` runs on the actor and does not
// suspend. It delivers all that it took before it takes more: a nested call returns immediately (D1). So an
// element that `receive` posts comes after those that were taken before.
//
// # Ends
// `end` ends the queue and drops its elements in one critical section, so nothing is appended or taken
// afterwards (E1). `drain` checks `ended` before each of the elements that it took before (D3). On the actor,
// nothing is delivered after `end`. On another thread, `end` may return between that check and the call. A
// scheduled drain holds the delivery weakly. So the last release ends the delivery, even if the actor never
// runs. The actor is held weakly as well. If it is deallocated, the next drain can't be scheduled, and a task
// calls `end`: it must not run inside the critical section of the poster.
//
// # Room
// A drain makes room when it takes the elements, and grants it to waiting threads and tasks in the same critical
// section. Tasks are resumed after it. A thread waits in the protector until its waiter has left the list. A
// cancelled task either finds its cancellation before it joins the list (W1), or the cancellation handler takes
// it out (W2).
//
// # What runs under which lock
// `receive` runs under no lock. Elements are released, continuations resumed and drains scheduled outside
// the lock of `state`. Of the user's code, only `combine` runs under that lock.

/// Delivers elements from any thread to an actor, in the order in which they are posted.
///
/// ```swift
/// final class Downloads: Sendable {
///   private let names = Protector<[String]>([])
///   private let delivery: OrderedDelivery<String>
///
///   init(showingIn table: Table) {
///     delivery = OrderedDelivery { [weak table] name in table?.insert(name) }   // on the main actor
///   }
///
///   func add(_ name: String) -> Bool {                                          // on any thread
///     names.withWriteLock { names in
///       names.append(name)
///       return delivery.post(name)
///     }
///   }
/// }
/// ```
///
/// Post an element inside the critical section that makes the change which the element describes. Then
/// elements are delivered in the order of the changes.
///
/// # The bug it prevents
/// A `Task` for each change delivers the changes in any order. Elements that are posted after the unlock
/// overtake one another. With `DispatchQueue.main.async` for each change, threads fill the main queue without
/// a bound, and each change costs a wake-up.
///
/// # Guarantees
/// - **Order**: elements are delivered one by one, in the order of the posts. An element that is posted during
///   a delivery comes after those that were posted before.
/// - **Bursts**: the first post schedules a *drain* on the actor. When the drain begins, it delivers all
///   elements that have been posted. Until then, further posts schedule nothing, so a burst costs one
///   wake-up. A drain has the priority of the post that scheduled it, and no task-local values.
/// - **Bound**: at most `limit` elements wait. Beyond that, a post is refused, or combined with the newest
///   waiting element. `waitForRoom()` waits until elements have been taken.
/// - **Fairness**: room is granted in the order of the calls of `waitForRoom()`, and only to as many callers as
///   there are places. The place is kept for the next post on the same thread or in the same task, so posts
///   of others are refused meanwhile. A place that is not used for some drains is given up, and the next one is
///   open to every post. That of a task which has not run since it was granted room is kept until it runs.
/// - **End**: after `end()`, posts return `false`, and elements that wait are dropped. If `end()` is called on
///   the actor, nothing is delivered afterwards. If it is called on another thread, a delivery that has begun
///   may go on. To exclude that delivery, give the receiver a `Lifecycle`. Releasing the last reference to the
///   delivery ends it too (in the receiver, after the elements that were taken with the current one), and so does
///   the end of the actor's life.
/// - **No lock** is held while the receiver is called, or an element is released; except while `combine` drops one,
///   whose end must not use the delivery.
/// - **Memory**: proportional to the greatest number of elements that have waited. If `Element` is a function type, wrap the
///   function in a structure: otherwise Swift adds a wrapper around it each time that `combine` gets it `inout`.
///
/// - **Blocking**: `post` acquires a lock for a short time. A post that schedules a drain creates a task.
///   `waitForRoom()` blocks its thread, or suspends its task.
/// - **Deadlocks it permits**: `waitForRoom()` on the actor's thread, or inside a critical section that the
///   receiver waits for, or in a task whose executor waits for another post.
/// - **Misuse that traps**: a limit below 1; `waitForRoom()` on the thread that delivers, during a delivery;
///   `deliverNow()` on another actor.
public final class OrderedDelivery<Element: Sendable>: Sendable {
  @usableFromInline
  @frozen
  struct State: ~Copyable, Sendable {
    /// The elements that wait, oldest first.
    @usableFromInline
    var elements: [Element] = []
    @usableFromInline
    var hasEnded = false
    /// Whether a drain is scheduled: a burst of posts schedules one.
    @usableFromInline
    var isScheduled = false
    var deliverer: UInt32 = 0
    var isDue = false
    @usableFromInline
    var room: DeliveryRoom
    var spare: [Element] = []

    init(_ room: consuming DeliveryRoom) { self.room = room }

    /// Moves all waiting elements to `burst`, which must be empty.
    ///
    /// - Parameter isScheduled: Whether a scheduled drain takes the elements. If so, the next post schedules
    ///   another one.
    /// - Returns: The waiters to resume, and whether to schedule a drain, after the section.
    mutating func take(into burst: inout [Element], isScheduled: Bool) -> Drained {
      // D2
      swap(&elements, &burst)
      if isScheduled { self.isScheduled = false }
      room.drainBegins()
      let granted = room.grant(beside: 0)
      return Drained(granted: granted, schedules: schedulesForRoom())
    }

    /// Whether a drain must be scheduled, after the section, so that kept places come to an end.
    mutating func schedulesForRoom() -> Bool {
      room.needsDrain(beside: elements.count) && schedules()
    }

    /// Whether the caller must schedule a drain, after the section.
    @_alwaysEmitIntoClient
    mutating func schedules() -> Bool {
      defer { isScheduled = true }
      return !isScheduled
    }
  }

  struct Drained {
    var granted: [TaskWaiter]
    var schedules: Bool
  }

  @usableFromInline
  let state: ExclusiveProtector<State>
  private let ended = LockWord()
  @usableFromInline
  let combine: (@Sendable (inout Element, Element) -> Void)?
  /// Whether an actor is the receiver.
  private let isReceiver: @Sendable (any Actor) -> Bool
  @usableFromInline
  let schedule: @Sendable (OrderedDelivery) -> Void
  /// Passes elements to the receiver; must be called on the actor.
  private let deliver: @Sendable (OrderedDelivery, [Element]) -> Void

  // MARK: Making a delivery

  /// Makes a delivery to the main actor.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of elements that wait. A limit below 1 traps.
  ///   - combine: Adds a posted element to the newest waiting one when there is no room. It runs inside
  ///     `post`, under the lock of the delivery, so it must be quick and must not use the delivery. With
  ///     `nil`, the default, the post is refused.
  ///   - receive: Called on the main actor with one element after another. The delivery holds this closure, so
  ///     the closure must capture the delivery's owner weakly. It is destroyed with the delivery, on whatever thread
  ///     releases that last.
  public convenience init(
    limit: Int = .max, combining combine: (@Sendable (inout Element, Element) -> Void)? = nil,
    receive: @escaping @MainActor (Element) -> Void
  ) {
    self.init(
      limit: limit, combining: combine, isReceiver: { $0 === MainActor.shared },
      schedule: { delivery in
        Task.detached(priority: Task.currentPriority) { @MainActor [weak delivery] in
          delivery?.drain(isScheduled: true)
        }
      },
      deliver: { delivery, elements in
        MainActor.assumeIsolated { delivery.forEach(of: elements, receive) }
      })
  }

  /// Makes a delivery to an actor.
  ///
  /// - Parameters:
  ///   - actor: The actor, which the delivery does not keep alive. When it is deallocated, the delivery ends.
  ///   - limit: The maximum number of elements that wait. A limit below 1 traps.
  ///   - combine: Adds a posted element to the newest waiting one when there is no room. It runs inside
  ///     `post`, under the lock of the delivery, so it must be quick and must not use the delivery. With
  ///     `nil`, the default, the post is refused.
  ///   - receive: Called on the actor with one element after another.
  public convenience init<Receiver: Actor>(
    to actor: Receiver, limit: Int = .max,
    combining combine: (@Sendable (inout Element, Element) -> Void)? = nil,
    receive: @escaping @Sendable (isolated Receiver, Element) -> Void
  ) {
    let reference = WeakReference(actor)
    self.init(
      limit: limit, combining: combine, isReceiver: { reference.holds($0) },
      schedule: { delivery in
        let actor = reference.object
        Task.detached(priority: Task.currentPriority) { [weak delivery] in
          if let actor { await delivery?.drain(on: actor) } else { delivery?.end() }
        }
      },
      deliver: { delivery, elements in
        reference.object?.assumeIsolated { actor in
          delivery.forEach(of: elements) { receive(actor, $0) }
        }
      })
  }

  /// Makes a delivery whose receiver need not be an actor; the other initializers and tests call this.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of elements that wait. A limit below 1 traps.
  ///   - combine: Adds a posted element to the newest waiting one when there is no room; `nil` to refuse the
  ///     post.
  ///   - isReceiver: Whether an actor may call `deliverNow()`.
  ///   - schedule: Called after a post, outside the lock. It must make sure that `drain(isScheduled:)` is
  ///     called once, with `true`.
  ///   - deliver: Passes elements to the receiver, with `forEach(of:_:)`.
  package init(
    limit: Int, combining combine: (@Sendable (inout Element, Element) -> Void)?,
    isReceiver: @escaping @Sendable (any Actor) -> Bool,
    schedule: @escaping @Sendable (OrderedDelivery) -> Void,
    deliver: @escaping @Sendable (OrderedDelivery, [Element]) -> Void
  ) {
    if limit < 1 {
      misuse("OrderedDelivery", "made with a limit of \(limit)", "pass at least 1, or leave the limit out")
    }
    state = ExclusiveProtector(State(DeliveryRoom(limit: limit, keepsPlaces: combine == nil)))
    self.combine = combine
    self.isReceiver = isReceiver
    self.schedule = schedule
    self.deliver = deliver
  }

  // MARK: Posting

  // Clients compile `post` for their own elements, because it runs in their sections: generic code that is not
  // specialized takes five times as long.

  /// Posts an element.
  ///
  /// Never waits for room or for the actor. It can be called inside a critical section, and by the receiver.
  ///
  /// - Parameter element: The element to deliver.
  /// - Returns: Whether the element was accepted; `false` if the delivery has ended, or there is no room and
  ///   elements are not combined.
  /// - Complexity: O(1), amortised, and a look at each thread in `waitForRoom()`.
  @_alwaysEmitIntoClient
  public func post(_ element: Element) -> Bool {
    let (isAccepted, schedules) = state.withLock { state -> (Bool, Bool) in
      if state.hasEnded { return (false, false) }
      if state.room.admitsPost(beside: state.elements.count) {
        state.elements.append(element)
      } else if let combine {
        combine(&state.elements[state.elements.count - 1], element)
      } else {
        // If no element waits, all places are kept, and only drains give them up.
        return (false, state.elements.count == 0 && state.schedules())
      }
      // P1
      return (true, state.schedules())
    }
    if schedules { schedule(self) }
    return isAccepted
  }

  /// The number of elements that wait.
  package var count: Int { state.withLock { $0.elements.count } }

  /// The number of calls that wait for room.
  package var waitCount: Int { state.withLock { $0.room.waitCount } }

  // MARK: Waiting for room

  /// Blocks the thread until there is room for an element, or the delivery ends.
  ///
  /// Call it outside of critical sections, and then post in a loop:
  ///
  /// ```swift
  /// while !delivery.post(name) {
  ///   guard delivery.waitForRoom() else { return }
  /// }
  /// ```
  ///
  /// First come, first served, among threads and tasks. A place is kept for the next post of this thread.
  ///
  /// A delivery that combines elements has room while fewer than `limit` elements wait, and keeps no places.
  /// Traps if there is no room and the calling thread is in a delivery, because only the end of that delivery
  /// could make room.
  ///
  /// - Returns: Whether there was room; `false` if the delivery has ended.
  public func waitForRoom() -> Bool {
    let waiter = TaskWaiter(task: DeliveryRoom.caller)
    if let answer = beginWaiting(waiter, on: ThreadIdentity.current) { return answer }
    let (hasRoom, schedules) = state.withLock(waitingUntil: { _ in !waiter.isQueued }) {
      Self.endWaiting(waiter, &$0)
    }
    if schedules { schedule(self) }
    return hasRoom
  }

  /// Suspends the task until there is room for an element, the delivery ends, or the task is cancelled.
  ///
  /// First come, first served, among threads and tasks. A place is kept for the next post of this task. Post in
  /// a loop: the place is lost if the post comes late.
  ///
  /// - Parameter isolation: The caller's isolation.
  /// - Returns: Whether there was room; `false` if the delivery has ended, or the task is cancelled.
  public func waitForRoom(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    let waiter = TaskWaiter(task: DeliveryRoom.caller)
    // W1
    if let answer = beginWaiting(waiter, isCancelled: Task.isCancelled) { return answer }
    guard await waiter.wait(givingUp: { self.withdraw(waiter) }) == .served else { return false }
    let (hasRoom, schedules) = state.withLock { Self.endWaiting(waiter, &$0) }
    if schedules { schedule(self) }
    return hasRoom
  }

  private enum BeginningOfWait {
    case ended(hasRoom: Bool)
    case queued(schedules: Bool)
    case misused
  }

  /// Keeps a place for the waiter's caller, or puts the waiter into the list.
  ///
  /// Traps if the caller would wait on the thread that delivers.
  ///
  /// - Parameter thread: The number of the thread that waits; `nil` for a task.
  /// - Returns: Whether there was room; `nil` if the caller must wait.
  private func beginWaiting(
    _ waiter: TaskWaiter, on thread: UInt32? = nil, isCancelled: Bool = false
  ) -> Bool? {
    let beginning = state.withLock { state -> BeginningOfWait in
      if state.hasEnded || isCancelled { return .ended(hasRoom: false) }
      if state.room.keepPlace(waiter, beside: state.elements.count) { return .ended(hasRoom: true) }
      if state.deliverer == thread { return .misused }
      state.room.append(waiter)
      return .queued(schedules: state.schedulesForRoom())
    }
    switch beginning {
    case .ended(let hasRoom): return hasRoom
    case .queued(let schedules):
      if schedules { schedule(self) }
      return nil
    case .misused:
      misuse(
        "OrderedDelivery", "its receiver waits for room, which only the receiver can make",
        "post without waiting, and combine or drop what is refused")
    }
  }

  /// Returns whether there is room for a caller whose wait has ended, and whether to schedule a drain after the
  /// section.
  private static func endWaiting(_ waiter: TaskWaiter, _ state: inout State) -> (Bool, Bool) {
    if state.hasEnded { return (false, false) }
    state.room.didReturn(waiter)
    return (true, state.schedulesForRoom())
  }

  /// Ends the wait of a cancelled task, unless it has been granted room.
  private func withdraw(_ waiter: TaskWaiter) {
    // W2
    let isWithdrawn = state.withLock { state in
      guard state.room.remove(waiter) else { return false }
      waiter.give(.cancelled)
      return true
    }
    if isWithdrawn { resume([waiter]) }
  }

  private func resume(_ waiters: [TaskWaiter]) {
    if waiters.isEmpty { return }
    checkNoLockHeld(before: "a continuation is resumed")
    for waiter in waiters { waiter.resume() }
  }

  // MARK: Delivering

  /// Delivers the elements that wait now, without waiting for the scheduled drain.
  ///
  /// If it is called during a delivery, it has no effect: the scheduled drain delivers the waiting elements.
  ///
  /// - Parameter actor: The caller's isolation, which must be the actor of this delivery; otherwise the
  ///   call traps.
  public func deliverNow(isolation actor: isolated (any Actor)? = #isolation) {
    guard let actor, isReceiver(actor) else {
      misuse(
        "OrderedDelivery", "its elements were to be delivered outside of its actor",
        "call deliverNow() on the actor to which it delivers")
    }
    drain(isScheduled: false)
  }

  private func drain(on actor: isolated some Actor) {
    drain(isScheduled: true)
  }

  /// Takes the elements that wait, and delivers them to the receiver.
  ///
  /// Must be called on the actor. During a delivery the call delivers nothing; if `isScheduled` is `true`,
  /// the running drain then delivers the elements.
  ///
  /// - Parameter isScheduled: Whether this is the drain that a post has scheduled.
  package func drain(isScheduled: Bool) {
    var burst: [Element] = []
    guard begin(isScheduled: isScheduled, taking: &burst) else { return }
    repeat {
      deliver(self, burst)
      burst.removeAll(keepingCapacity: true)
    } while goOn(taking: &burst)
  }

  /// Begins a drain and moves the waiting elements to `burst`; returns `false` if another drain is running.
  ///
  /// - Parameters:
  ///   - isScheduled: Whether a post has scheduled this drain. If so, a running drain takes over its
  ///     elements.
  ///   - burst: An empty array.
  private func begin(isScheduled: Bool, taking burst: inout [Element]) -> Bool {
    let drained = state.withLock { state -> Drained? in
      // D1
      if state.deliverer != 0 {
        if isScheduled { state.isDue = true }
        return nil
      }
      state.deliverer = ThreadIdentity.current
      swap(&state.spare, &burst)
      return state.take(into: &burst, isScheduled: isScheduled)
    }
    return finish(drained)
  }

  /// Takes the elements that wait if a scheduled drain was called during this drain; otherwise ends this
  /// drain and returns `false`.
  ///
  /// - Parameter burst: An empty array, to which the elements are moved.
  private func goOn(taking burst: inout [Element]) -> Bool {
    let drained = state.withLock { state -> Drained? in
      if state.isDue {
        state.isDue = false
        return state.take(into: &burst, isScheduled: true)
      }
      state.deliverer = 0
      swap(&state.spare, &burst)
      return nil
    }
    return finish(drained)
  }

  /// Resumes waiters and schedules a drain as `take` has found; returns `false` for `nil`.
  private func finish(_ drained: Drained?) -> Bool {
    guard let drained else { return false }
    resume(drained.granted)
    if drained.schedules { schedule(self) }
    return true
  }

  /// Calls `receive` with each element; stops early if the delivery ends meanwhile.
  package func forEach(of elements: [Element], _ receive: (Element) -> Void) {
    for element in elements {
      // D3
      if hasEnded { return }
      checkNoLockHeld(before: "the receiver of an OrderedDelivery is called")
      receive(element)
    }
  }

  // MARK: The end

  /// Whether the delivery has ended.
  ///
  /// A post that was refused before found no room if this is `false`.
  public var hasEnded: Bool { ended.loadRelaxed() != 0 }

  /// Ends the delivery, and drops the elements that wait.
  ///
  /// Waiting calls of `waitForRoom()` return `false`. Any thread may call `end()`, and so may the receiver
  /// during a delivery; later calls have no effect. On the actor, nothing is delivered after this call.
  public func end() {
    var dropped: [Element] = []
    // E1
    let waiters = state.withLock { state in
      state.hasEnded = true
      swap(&state.elements, &dropped)
      ended.storeRelaxed(1)
      return state.room.end()
    }
    resume(waiters)
  }
}
