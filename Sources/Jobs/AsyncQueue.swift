internal import InterlockCore
internal import InterlockTasks
internal import InterlockWaits
internal import Protectors
internal import UnfairLocks

// # Why
// A task for each piece of work runs them in any order, and any number of them at a time. A stream with a task that
// consumes it keeps the order, but runs all work with the task-local values and the priority of that one task,
// and can't cancel a single piece. So each item is a task of its own, made by the thread that adds the item.
// The queue decides when the task may go on.
//
// # State
// The lock of `state` guards all of it.
// - `waiting`: the waiters of the items whose turn has not come, in the order in which they were added.
// - `running`: the items whose turn has come and that have not ended, by the `TaskIdentity` of their tasks, with the
//   numbers of their turns: `cancel` has an order that an exploration can repeat.
// - `unfinished`: those that wait or run, those that were dropped and whose tasks have not ended, and those for
//   which `add` has reserved a place before it makes their task.
//
// # Invariants
// Q1. If an item waits, `maxConcurrentItems` items run. An item joins the list only then (Q1a), and a turn that
//     ends goes to the first item in the list, or none waits (Q1b).
// Q2. A waiter leaves the list in one critical section, which decides whether the item runs or is dropped. The
//     thread of that section resumes the waiter after it, once. A task that begins later does not suspend. It may
//     have been cancelled before it had a handler for that: so the section asks (Q2a), and the turn of an item that
//     is dropped there ends with its task.
// Q3. The task of an item ends in `end`, whether it was dropped or not. So `unfinished` is 0 only when no task of
//     an item will use the operation or the queue's state again, and the tasks in `running` exist.
// Q4. No task of an item can be cancelled before it has joined: nothing else has its handle.
//
// # Priorities
// A lent priority is never taken back, and all items that an item depends on are in the queue before it. So it is enough
// to escalate their tasks once when the wait begins, and again when the waiting task is escalated.
//
// # Ends
// An item's task refers to the queue until it ends. So a queue without owners finishes its items.
//
// # What runs under the lock
// Only the functions of this file. Tasks are made, resumed and cancelled outside of it, and operations are
// destroyed by their tasks.

/// Runs asynchronous closures one after another, or a few at a time, in the order in which they are added.
///
/// ```swift
/// let saving = AsyncQueue()
///
/// func documentChanged(_ document: Document) {             // on any thread
///   _ = saving.add { try await store.save(document) }      // never before an earlier version
/// }
/// ```
///
/// Such a closure is an *item* of the queue.
///
/// # The bug it prevents
/// A `Task` for each piece of work runs them in any order, so an old version may be saved over a new one.
/// An actor does not help, because its functions interleave at each `await`.
///
/// # Guarantees
/// - **Order**: items get their turns in the order in which `add` was called. With `maxConcurrentItems: 1` they
///   run in that order, and an item sees everything that earlier items did. Otherwise those that have their turns
///   begin in any order.
/// - **Tasks**: each item is a task of its own. It has the task-local values and the priority of the task that
///   added it, and the isolation of its closure. A task that awaits its value, and one that is escalated meanwhile, gives
///   its priority to the item, the running ones and those before it. `finish()` and a wait for room give it to all items
///   that are in the queue then.
/// - **Errors**: an error goes to the item's `value`, and does not stop the queue.
/// - **Cancellation**: an item that is cancelled before its turn is dropped: its closure does not run, and its `value`
///   throws `CancellationError`. One whose turn has come runs, and sees `Task.isCancelled`. A task that is cancelled does
///   not cancel the items that it added.
/// - **Bound**: at most `maxWaitingItems` items wait for their turn. Beyond that, `add` refuses an item,
///   and `addWaitingForRoom` waits. A dropped item takes room until its task has ended, as its `value` tells.
/// - **End**: `finish()` runs the items that were added, `cancel()` drops those that wait. Later items are refused. A
///   queue that is released without either runs its items, and is deallocated after the last one and all `Item`s.
/// - **No lock** is held while an item runs or is destroyed. An item's closure is destroyed in its isolation, before the
///   next item begins.
///
/// - **Blocking**: `add` acquires a lock for a short time.
/// - **Deadlocks it permits**: an item that awaits the value of a later item, or a `Task` that awaits the end of the queue;
///   one that waits for room; items that block all threads of the pool; a task that
///   waits for room on an executor which is blocked until `finish()` returns or another task has room; an executor that
///   is blocked until an item in its isolation has ended, even one that is dropped.
/// - **Misuse that traps**: fewer than one item at a time, or a negative number of waiting items; an item, or a child task
///   of one, that awaits the end of the queue.
/// - **Memory**: a task for each item, from `add` to its end.
/// - **Cost**: two to four times the processor time of a task that is awaited, or of a queue by hand. Each item is a task
///   with the priority and task-local values of its adder, has a turn that can be dropped, and destroys its closure in
///   that closure's isolation. A fifth of the time is generic code, which clients don't specialize.
public final class AsyncQueue: Sendable {
  private struct State: ~Copyable, Sendable {
    var isOpen = true
    var isCancelled = false
    var unfinished = 0
    var waiting = TaskWaiterList()
    var running: [UInt64: Int] = [:]
    var turns = 0

    /// Reserves a place for an item if the queue takes one; returns whether it does.
    mutating func reserve(of places: Int) -> Bool {
      guard isOpen, unfinished < places else { return false }
      unfinished += 1
      return true
    }

    mutating func giveTurn(to waiter: TaskWaiter) {
      turns += 1
      running[waiter.task] = turns
      // Q2a
      if AsyncQueue.task(waiter.task).isCancelled { waiter.give(.cancelled) }
    }

    /// The tasks that the end of an item depends on: those that run, and those that wait before it; all for `nil`.
    ///
    /// Leaves out those that wait and were lent this priority before.
    mutating func tasks(upTo item: TaskWaiter?, lending priority: UInt8) -> [Task<Void, Never>] {
      // An item whose turn has come depends on no other.
      if let item, !item.isQueued { return [] }
      var tasks = running.keys.map(AsyncQueue.task)
      waiting.raise(upTo: item, to: priority) { tasks.append(AsyncQueue.task($0.task)) }
      return tasks
    }
  }

  /// The task of an item that has not ended, as one of this type: it can be asked and cancelled as if it were.
  private static func task(_ identity: UInt64) -> Task<Void, Never> {
    // Sound: the task exists (Q3), and is retained here.
    unsafe unsafeBitCast(UInt(identity), to: Task<Void, Never>.self)
  }

  private let state: ExclusiveProtector<State>
  private let maxConcurrentItems: Int
  /// The greatest number of unfinished items.
  private let places: Int
  private let hasRoomOrEnded: WaitCondition<State>
  private let isIdle: WaitCondition<State>

  /// Makes a queue without items.
  ///
  /// - Parameters:
  ///   - maxConcurrentItems: The maximum number of items that run at a time. A number below 1 traps.
  ///   - maxWaitingItems: The maximum number of items that wait for their turn. A number below 0 traps.
  ///   - label: The name of the queue's protector in reports of `DeadlockDetection`; without that trait it costs
  ///     nothing.
  ///   - file: The file in those reports.
  ///   - line: The line in those reports.
  public init(
    maxConcurrentItems: Int = 1, maxWaitingItems: Int = .max, label: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line
  ) {
    if maxConcurrentItems < 1 {
      misuse(
        "AsyncQueue", "made with maxConcurrentItems: \(maxConcurrentItems)", "pass a number greater than 0")
    }
    if maxWaitingItems < 0 {
      misuse("AsyncQueue", "made with maxWaitingItems: \(maxWaitingItems)", "pass 0 or more, or leave it out")
    }
    let places = maxConcurrentItems + min(maxWaitingItems, .max - maxConcurrentItems)
    self.maxConcurrentItems = maxConcurrentItems
    self.places = places
    state = ExclusiveProtector(State(), label: label, file: file, line: line)
    hasRoomOrEnded = state.condition { $0.unfinished < places || !$0.isOpen }
    isIdle = state.condition { $0.unfinished == 0 }
  }

  // MARK: Adding items

  /// Adds an item, if there is room.
  ///
  /// Never waits, neither for room nor for an item. It can be called on any thread, in any isolation, inside a
  /// critical section and by an item.
  ///
  /// - Parameter operation: Runs once, in its own isolation, unless the item is dropped.
  /// - Returns: The item; `nil` if the queue has ended or there is no room, and `operation` will not run.
  /// - Complexity: O(1), and a task.
  public func add<Success: Sendable, Failure: Error>(
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async throws(Failure) -> Success
  ) -> Item<Success>? {
    state.withLock { $0.reserve(of: places) } ? start(operation) : nil
  }

  /// Adds an item as soon as there is room; suspends the task until then.
  ///
  /// Room is given as a protector lets those in that wait for it: to tasks in the order of their arrival, to threads
  /// as well, and a thread waits for no task. A call that finds room does not queue, unless 64 such calls have
  /// passed a waiting task. `add` may always take room before those that wait. A task that is already cancelled takes
  /// room that is free, and throws only where it would wait.
  ///
  /// - **Wait**: it ends with room or the queue; a task that is cancelled before or while it waits throws; no
  ///   timeout; tasks in the order of their arrival; items get the task's priority; its throw adds nothing.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - operation: Runs once, in its own isolation, unless the item is dropped.
  /// - Returns: The item; `nil` if the queue has ended, and `operation` will not run.
  /// - Throws: `CancellationError` if the calling task was cancelled while it waited for room; `operation` will not run.
  public func addWaitingForRoom<Success: Sendable, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation,
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async throws(Failure) -> Success
  ) async throws -> Item<Success>? {
    let isFull = state.withLock { $0.isOpen && $0.unfinished >= places }
    let isReserved =
      isFull ? try await whileLending(upTo: nil) { try await reserveInTurn() } : try await reserveInTurn()
    return isReserved ? start(operation) : nil
  }

  private func reserveInTurn(isolation: isolated (any Actor)? = #isolation) async throws -> Bool {
    try await state.withLock(waitingUntil: hasRoomOrEnded) { $0.reserve(of: places) }
  }

  /// Adds an item as soon as there is room; blocks the thread until then.
  ///
  /// In all other respects it acts as the asynchronous form.
  ///
  /// - **Wait**: it ends with room or the queue; cancellation has no effect; no timeout; threads as a protector
  ///   serves them; no priority is lent; it throws nothing.
  ///
  /// - Parameter operation: Runs once, in its own isolation, unless the item is dropped.
  /// - Returns: The item; `nil` if the queue has ended, and `operation` will not run.
  @available(*, noasync, message: "it blocks the thread; await the asynchronous form")
  public func addWaitingForRoom<Success: Sendable, Failure: Error>(
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async throws(Failure) -> Success
  ) -> Item<Success>? {
    state.withLock(waitingUntil: hasRoomOrEnded.isSatisfied) { $0.reserve(of: places) }
      ? start(operation) : nil
  }

  // A structure, because an optional closure of this type needs macOS 15.
  private struct Operation<Success: Sendable, Failure: Error>: IsolatedClosure {
    let run: @isolated(any) () async throws(Failure) -> Success

    var isolation: (any Actor)? { run.isolation }

    func call(with turn: Void, isolation: isolated (any Actor)?) async -> Result<Success, any Error> {
      do { return .success(try await run()) } catch { return .failure(error) }
    }
  }

  /// Makes the task of an item, for which a place is reserved, and puts it into the queue.
  private func start<Success: Sendable, Failure: Error>(
    _ operation: sending @escaping @isolated(any) () async throws(Failure) -> Success
  ) -> Item<Success>? {
    let operation = ClosureHolder(Operation(run: operation))
    let waiter = TaskWaiter()
    let task = Task<Result<Success, any Error>?, Never> {
      let outcome = waiter.isResumed ? waiter.outcomeAfterWaiting : await waiter.wait { self.giveUp(waiter) }
      let result = await TaskTree(of: ObjectIdentifier(self)).run {
        await operation.end(with: outcome == .served ? () : nil)
      }
      self.end()
      return result
    }
    // Sound: a task is one word, its address, which is also its `TaskIdentity`.
    let isAdded = join(waiter, of: unsafe UInt64(unsafeBitCast(task, to: UInt.self)))
    return isAdded ? Item(task: task, waiter: waiter, queue: self) : nil
  }

  // MARK: Turns

  /// Puts a new item into the queue, or gives it its turn; returns `false` if the queue was cancelled.
  private func join(_ waiter: TaskWaiter, of task: UInt64) -> Bool {
    let (isAdded, isDue) = state.withLock { state in
      if state.isCancelled {
        waiter.give(.cancelled)
        return (false, true)
      }
      waiter.task = task
      // Q1a
      let isDue = state.running.count < maxConcurrentItems
      if isDue { state.giveTurn(to: waiter) } else { state.waiting.append(waiter) }
      return (true, isDue)
    }
    if isDue { waiter.resume() }
    return isAdded
  }

  /// Drops the item of a cancelled task, unless its turn has come.
  private func giveUp(_ waiter: TaskWaiter) {
    let isDropped = state.withLock { state in
      guard state.waiting.remove(waiter) else { return false }
      waiter.give(.cancelled)
      return true
    }
    if isDropped { waiter.resume() }
  }

  /// Records that the item of the calling task has ended, and passes on its turn if it had one.
  private func end() {
    let next = state.withLock { state -> TaskWaiter? in
      state.unfinished -= 1
      guard state.running.removeValue(forKey: TaskIdentity.current) != nil else { return nil }
      // Q1b
      let next = state.waiting.removeFirst()
      if let next { state.giveTurn(to: next) }
      return next
    }
    next?.resume()
  }

  // MARK: Priorities

  /// Runs `wait`, which waits for an item, or for several if it is `nil`, and lends the calling task's priority to all
  /// tasks that it depends on.
  private func whileLending<R, E: Error>(
    upTo item: TaskWaiter?, isolation: isolated (any Actor)? = #isolation, _ wait: () async throws(E) -> R
  ) async throws(E) -> R {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return try await wait() }
    return try await withTaskPriorityEscalationHandler { () throws(E) -> R in
      _ = isolation
      // Behind the registration: an escalation before it calls no handler.
      lend(TaskIdentity.currentPriority, upTo: item)
      return try await wait()
    } onPriorityEscalated: { _, priority in
      TaskIdentity.afterEscalation { self.lend(priority.rawValue, upTo: item) }
    }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  private func lend(_ priority: UInt8, upTo item: TaskWaiter?) {
    let tasks = state.withLock { $0.tasks(upTo: item, lending: priority) }
    for task in tasks { task.escalatePriority(to: TaskPriority(rawValue: priority)) }
  }

  // MARK: The end

  /// Ends the queue: runs the items that were added, and waits for their end.
  ///
  /// Items that are added later are refused, and calls that wait for room return `nil`. It waits to the end, even
  /// if the calling task is cancelled: call `cancel()` for an earlier one. Traps in an item, and in a child task of one.
  ///
  /// - **Wait**: it ends with the last item; a cancelled task waits on; no timeout; all together; items get the
  ///   task's priority; it throws nothing.
  ///
  /// - Parameter isolation: The caller's isolation.
  public func finish(isolation: isolated (any Actor)? = #isolation) async {
    state.withLock { $0.isOpen = false }
    if TaskTree.current?.owner == ObjectIdentifier(self) {
      misuse("AsyncQueue", "an item awaits the end of its own queue", "call finish() outside of its items")
    }
    await whileLending(upTo: nil) {
      _ = isolation
      // A wait in a task of its own does not end when the calling task is cancelled.
      _ = await Task { try? await self.state.withLock(waitingUntil: self.isIdle) { _ in } }.value
    }
  }

  /// Ends the queue: drops the items that wait for their turn, and cancels those that run.
  ///
  /// It does not wait for the items that run; `finish()` does. Items that are added later are refused. Cancellation
  /// handlers of items run on the calling thread.
  ///
  /// - Returns: The number of items that this call has dropped.
  /// - Complexity: O(*n* log *n*) in the number of items.
  @discardableResult
  public func cancel() -> Int {
    let (dropped, running) = state.withLock { state in
      state.isOpen = false
      state.isCancelled = true
      var dropped: [TaskWaiter] = []
      while let waiter = state.waiting.removeFirst() {
        waiter.give(.cancelled)
        dropped.append(waiter)
      }
      return (dropped, state.running.sorted { $0.value < $1.value }.map { Self.task($0.key) })
    }
    // First, because the cancellation handlers of items, which may block, run in `cancel`.
    for waiter in dropped { waiter.resume() }
    for task in running { task.cancel() }
    return dropped.count
  }

  /// An item of a queue, which goes on when this value is gone.
  public struct Item<Success: Sendable>: Sendable {
    fileprivate let task: Task<Result<Success, any Error>?, Never>
    fileprivate let waiter: TaskWaiter
    fileprivate let queue: AsyncQueue

    /// Drops the item if its turn has not come, and otherwise cancels its task.
    ///
    /// Has no effect on an item that has ended. Cancellation handlers of the item run on the calling thread.
    public func cancel() { task.cancel() }

    /// The result of the item's closure, once it has ended.
    ///
    /// Suspends the task until then, even if the calling task is cancelled: to end the wait, cancel the item.
    ///
    /// - **Wait**: it ends with the item; a cancelled task waits on; no timeout; all together; the item, and those
    ///   before it, get the priority of the waiting task; a throw is that of the item, which has ended.
    ///
    /// - Throws: The error of the closure; `CancellationError` if the item was dropped, and the closure will not run.
    public var value: Success {
      get async throws {
        let result =
          waiter.isResumed ? await task.value : await queue.whileLending(upTo: waiter) { await task.value }
        guard let result else { throw CancellationError() }
        return try result.get()
      }
    }
  }
}
