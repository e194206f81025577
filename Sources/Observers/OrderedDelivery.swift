internal import InterlockCore
public import Protectors
internal import UnfairLocks

// # Why
// Threads change a state under a lock, and an actor must get the changes in their order. Creating a task
// for each change can reorder them, and costs a wake-up for each. If changes are posted after the unlock,
// two threads can post theirs in the wrong order. So changes are posted inside the critical section, to a
// queue that one drain at a time empties on the actor.
//
// # State
// The lock of `state` guards all of it but `finished`. It is acquired inside the critical sections of the user.
// - `elements`: those that wait. `isScheduled`: whether a drain is scheduled.
// - `deliverer`: the thread that runs `drain`; 0 if none does.
// - `isDue`: a scheduled drain ran inside another drain, from a run loop in `receive`. The outer drain takes
//   over.
// - `grants`: how many of those who wait for room may go on before the next drain.
// - `spare`: an empty array, whose capacity `drain` reuses.
// `finished` repeats `isFinished` for `drain`, which checks it before each element.
//
// # Invariants
// I1. While elements wait, a drain is scheduled, or `isDue` is set. `post` sets `isScheduled` in the critical
//     section in which it appends, and then schedules a drain (P1). Only a scheduled drain clears it, in the
//     critical section in which it takes all elements (D2).
// I2. At most one drain is scheduled: only the call that has set `isScheduled` schedules one. `deliverNow` takes
//     elements, but does not clear it. So a scheduled drain stays scheduled, and may find no elements.
// I3. At most `limit` elements wait. Those that a drain has taken don't wait any more, so that at most
//     2 × `limit` are alive.
// I4. If there is room and somebody waits for it, `grants` is not 0, or a drain is scheduled: whoever uses up the last
//     grant schedules one if no element waits (R1), and by I1 one is scheduled where elements wait.
//
// # Order
// Elements are appended under the lock, so in the order of the posts. `drain` runs on the actor and does not
// suspend. It delivers all that it took before it takes more: a nested call returns immediately (D1). So an
// element that `receive` posts comes after those that were taken before.
//
// # Ends
// `finish` ends the queue and drops its elements in one critical section, so nothing is appended or taken
// afterwards (E1). `drain` checks `finished` before each of the elements that it took before (D3). On the actor,
// nothing is delivered after `finish`. On another thread, `finish` may return between that check and the call. A
// scheduled drain holds the delivery weakly. So the last release ends the delivery, even if the actor never
// runs. The actor is held weakly as well. If it is deallocated, the next drain can't be scheduled, and a task
// calls `finish`: it must not run inside the critical section of the poster.
//
// # Room
// A drain makes room when it takes the elements, and lets `limit` waits end: the protector serves them in their order
// (R2). The room is nobody's: whoever posts first uses it. So more than `limit` would go on in vain.
//
// # What runs under which lock
// `receive` runs under no lock. Elements are released and drains scheduled outside the lock of `state`. Of the user's code, only `combine` runs under that lock.

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
/// - **Fairness**: tasks that wait for room go on in their order, and so do threads, after each drain as many as there is room for. The room is not
///   kept: a post that comes first takes it, and whoever has waited may be refused again.
/// - **Cancellation**: a task that is cancelled, even before the call, finds room that is there. Where it would wait,
///   `waitForRoom()` throws `CancellationError`.
/// - **End**: after `finish()`, posts return `false`, and elements that wait are dropped. If `finish()` is called on
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
///   receiver waits for. Waiting tasks go on one at a time, so one whose executor is busy delays those behind it.
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
    var isFinished = false
    /// Whether a drain is scheduled: a burst of posts schedules one.
    @usableFromInline
    var isScheduled = false
    var deliverer: UInt32 = 0
    var isDue = false
    var spare: [Element] = []
    @usableFromInline
    let limit: Int
    /// How many of those who wait for room may go on before the next drain.
    var grants: Int

    init(limit: Int) {
      self.limit = limit
      grants = limit
    }

    @_alwaysEmitIntoClient
    var hasRoom: Bool { elements.count < limit }

    /// Moves all waiting elements to `burst`, which must be empty.
    ///
    /// - Parameter isScheduled: Whether a scheduled drain takes the elements. If so, the next post schedules
    ///   another one.
    mutating func take(into burst: inout [Element], isScheduled: Bool) {
      // D2
      swap(&elements, &burst)
      if isScheduled { self.isScheduled = false }
      // R2
      grants = limit
    }

    /// Ends a wait for room; returns whether there is room, and whether to schedule a drain after the section.
    mutating func endWait() -> (Bool, Bool) {
      if isFinished { return (false, false) }
      grants -= 1
      // R1
      return (true, grants == 0 && elements.isEmpty && schedules())
    }

    /// Whether the caller must schedule a drain, after the section.
    @_alwaysEmitIntoClient
    mutating func schedules() -> Bool {
      defer { isScheduled = true }
      return !isScheduled
    }
  }

  @usableFromInline
  let state: ExclusiveProtector<State>
  private let mayGoOn: WaitCondition<State>
  private let finished = LockWord()
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
  ///   - label: The name of the delivery's protector in reports of `DeadlockDetection`; without that trait it costs
  ///     nothing.
  ///   - file: The file in those reports.
  ///   - line: The line in those reports.
  ///   - receive: Called on the main actor with one element after another. The delivery holds this closure, so
  ///     the closure must capture the delivery's owner weakly. It is destroyed with the delivery, on whatever thread
  ///     releases that last.
  public convenience init(
    limit: Int = .max, combining combine: (@Sendable (inout Element, Element) -> Void)? = nil,
    label: StaticString = "", file: StaticString = #fileID, line: UInt = #line,
    receive: @escaping @MainActor (Element) -> Void
  ) {
    self.init(
      limit: limit, combining: combine, label: label, file: file, line: line,
      isReceiver: { $0 === MainActor.shared },
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
  ///   - label: The name of the delivery's protector in reports of `DeadlockDetection`; without that trait it costs
  ///     nothing.
  ///   - file: The file in those reports.
  ///   - line: The line in those reports.
  ///   - receive: Called on the actor with one element after another.
  public convenience init<Receiver: Actor>(
    to actor: Receiver, limit: Int = .max,
    combining combine: (@Sendable (inout Element, Element) -> Void)? = nil,
    label: StaticString = "", file: StaticString = #fileID, line: UInt = #line,
    receive: @escaping @Sendable (isolated Receiver, Element) -> Void
  ) {
    let reference = WeakReference(actor)
    self.init(
      limit: limit, combining: combine, label: label, file: file, line: line,
      isReceiver: { reference.holds($0) },
      schedule: { delivery in
        let actor = reference.object
        Task.detached(priority: Task.currentPriority) { [weak delivery] in
          if let actor { await delivery?.drain(on: actor) } else { delivery?.finish() }
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
  ///   - label: The name of the delivery's protector.
  ///   - file: The file in reports.
  ///   - line: The line in reports.
  ///   - isReceiver: Whether an actor may call `deliverNow()`.
  ///   - schedule: Called after a post, outside the lock. It must make sure that `drain(isScheduled:)` is
  ///     called once, with `true`.
  ///   - deliver: Passes elements to the receiver, with `forEach(of:_:)`.
  package init(
    limit: Int, combining combine: (@Sendable (inout Element, Element) -> Void)?,
    label: StaticString = "", file: StaticString = #fileID, line: UInt = #line,
    isReceiver: @escaping @Sendable (any Actor) -> Bool,
    schedule: @escaping @Sendable (OrderedDelivery) -> Void,
    deliver: @escaping @Sendable (OrderedDelivery, [Element]) -> Void
  ) {
    if limit < 1 {
      misuse("OrderedDelivery", "made with a limit of \(limit)", "pass at least 1, or leave the limit out")
    }
    state = ExclusiveProtector(State(limit: limit), label: label, file: file, line: line)
    mayGoOn = state.condition { ($0.grants > 0 && $0.hasRoom) || $0.isFinished }
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
  /// - Complexity: O(1), amortized, and a look at each thread in `waitForRoom()`.
  @_alwaysEmitIntoClient
  public func post(_ element: Element) -> Bool {
    let (isAccepted, schedules) = state.withLock { state -> (Bool, Bool) in
      if state.isFinished { return (false, false) }
      if state.hasRoom {
        state.elements.append(element)
      } else if let combine {
        combine(&state.elements[state.elements.count - 1], element)
      } else {
        return (false, false)
      }
      // P1
      return (true, state.schedules())
    }
    if schedules { schedule(self) }
    return isAccepted
  }

  /// The number of elements that wait.
  package var count: Int { state.withLock { $0.elements.count } }

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
  /// First come, first served, among the threads that wait, and among the tasks. The room is not kept for this thread.
  ///
  /// A delivery that combines elements has room while fewer than `limit` elements wait.
  /// Traps if there is no room and the calling thread is in a delivery, because only the end of that delivery
  /// could make room.
  ///
  /// - **Wait**: it ends with room or the delivery; cancellation has no effect; no timeout; in order of arrival, as
  ///   many as there is room for; no priority is lent; it throws nothing.
  ///
  /// - Returns: Whether there was room; `false` if the delivery has ended.
  public func waitForRoom() -> Bool {
    if let answer = answerWithoutWait(on: ThreadIdentity.current) { return answer }
    let (hasRoom, schedules) = state.withLock(waitingUntil: mayGoOn.isSatisfied) { $0.endWait() }
    if schedules { schedule(self) }
    return hasRoom
  }

  /// Suspends the task until there is room for an element, the delivery ends, or the task is cancelled.
  ///
  /// First come, first served, among the tasks that wait, and among the threads. The room is not kept for this task, so
  /// post in a loop.
  /// A task that is already cancelled throws only where it would wait.
  ///
  /// - **Wait**: it ends with room or the delivery; a task that is cancelled before or while it waits throws; no
  ///   timeout; in order of arrival, as many as there is room for; no priority is lent; its throw posts nothing.
  ///
  /// - Parameter isolation: The caller's isolation.
  /// - Returns: Whether there was room; `false` if the delivery has ended.
  /// - Throws: `CancellationError` if the task was cancelled while it waited.
  public func waitForRoom(isolation: isolated (any Actor)? = #isolation) async throws -> Bool {
    if let answer = answerWithoutWait() { return answer }
    let (hasRoom, schedules) = try await state.withLock(waitingUntil: mayGoOn) { $0.endWait() }
    if schedules { schedule(self) }
    return hasRoom
  }

  /// Returns whether there is room; `nil` if the caller must wait.
  ///
  /// Traps if the caller would wait on the thread that delivers.
  ///
  /// - Parameter thread: The number of the thread that would wait; `nil` for a task.
  private func answerWithoutWait(on thread: UInt32? = nil) -> Bool? {
    let (answer, isMisused) = state.withLock { state -> (Bool?, Bool) in
      if state.isFinished { return (false, false) }
      return state.hasRoom ? (true, false) : (nil, state.deliverer == thread)
    }
    if isMisused {
      misuse(
        "OrderedDelivery", "its receiver waits for room, which only the receiver can make",
        "post without waiting, and combine or drop what is refused")
    }
    return answer
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
    state.withLock { state in
      // D1
      if state.deliverer != 0 {
        if isScheduled { state.isDue = true }
        return false
      }
      state.deliverer = ThreadIdentity.current
      swap(&state.spare, &burst)
      state.take(into: &burst, isScheduled: isScheduled)
      return true
    }
  }

  /// Takes the elements that wait if a scheduled drain was called during this drain; otherwise ends this
  /// drain and returns `false`.
  ///
  /// - Parameter burst: An empty array, to which the elements are moved.
  private func goOn(taking burst: inout [Element]) -> Bool {
    state.withLock { state in
      if state.isDue {
        state.isDue = false
        state.take(into: &burst, isScheduled: true)
        return true
      }
      state.deliverer = 0
      swap(&state.spare, &burst)
      return false
    }
  }

  /// Calls `receive` with each element; stops early if the delivery ends meanwhile.
  package func forEach(of elements: [Element], _ receive: (Element) -> Void) {
    for element in elements {
      // D3
      if isFinished { return }
      checkNoLockHeld(before: "the receiver of an OrderedDelivery is called")
      receive(element)
    }
  }

  // MARK: The end

  /// Whether the delivery has ended.
  ///
  /// A post that was refused before found no room if this is `false`.
  public var isFinished: Bool { finished.loadRelaxed() != 0 }

  /// Ends the delivery, and drops the elements that wait.
  ///
  /// Waiting calls of `waitForRoom()` return `false`. Any thread may call `finish()`, and so may the receiver
  /// during a delivery; later calls have no effect. On the actor, nothing is delivered after this call.
  public func finish() {
    var dropped: [Element] = []
    // E1
    state.withLock { state in
      state.isFinished = true
      swap(&state.elements, &dropped)
      finished.storeRelaxed(1)
    }
  }
}
