internal import InterlockCore
internal import InterlockTasks
internal import InterlockWaits

/// Shares the work of concurrent calls: one *run* for each key, whose result all tasks get that wait for it.
///
/// ```swift
/// let downloads = SingleFlight<String, Image>()
///
/// let image = try await downloads.value(for: "logo") { try await download("logo") }
/// ```
///
/// Nothing is kept: when a run has ended, with a value or an error, the next call for its key begins another
/// one.
///
/// # The bug it prevents
/// A dictionary of tasks does the same until something goes wrong:
///
/// ```swift
/// actor Downloads {
///   private var tasks: [String: Task<Image, any Error>] = [:]
///
///   func image(_ name: String) async throws -> Image {
///     if let task = tasks[name] { return try await task.value }  // forever, also after an error
///     let task = Task { try await download(name) }
///     tasks[name] = task
///     return try await task.value                                // cancellation ends neither wait nor download
///   }
/// }
/// ```
///
/// If the first caller downloads in its own task instead, its cancellation fails all others.
///
/// - **Cancellation**: a task that is cancelled while it waits, or before, throws `CancellationError` immediately, even if
///   the run does not stop. The run is cancelled once all tasks that wait for it have been cancelled, and goes on while one of
///   them is left. A run that was cancelled has no part in later calls, which may begin another one before it
///   has ended.
/// - **Errors**: all tasks that wait for a run get its error, whatever their own closures throw.
/// - **Blocking**: a waiting task is suspended, and blocks no thread.
/// - **Isolation**: a run is a task of its own, with the priority and the task-local values of the call that
///   began it. It gets the priority of each task that waits for it, also of one that is escalated while it waits.
/// - **Recursion**: traps if a run, or a child task of it, waits for the run's own key, and if runs wait for each
///   other's in a cycle. A `Task` that a run makes, and does not wait for, may wait for the run.
/// - **Deadlocks it permits**: a run that waits for a `Task` that waits for the run's key; a cycle in which a run waits
///   in a child task.
/// - **Keys**: `==` and `hash(into:)` of a key run under a lock. They must not wait, and must not lock what
///   is locked around a cancellation.
/// - **Memory**: nothing but an empty dictionary while nothing runs.
/// - **Cost**: for calls that share no run, three to four times the processor time of a dictionary of tasks: each call waits
///   in a list, which its cancellation leaves, and is counted among the users of its run. A fifth of the time is generic
///   code, which clients don't specialize.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  // # Why no run is lost
  // A flight is in the dictionary until it ends or the last user leaves it, both under the lock. So a call
  // finds a flight that is neither ended nor cancelled, and counts among its users from then on: nobody else
  // can cancel it. The call appends its waiter under the lock of the flight's list, unless there is a result.
  // The result is set before that list is emptied, so the waiter is taken from the list, or sees the result.
  // It is set after the flight has left the dictionary, so nobody who has it gets it again from a later call.
  //
  // The first user stores the task before it can leave. So whoever leaves last finds the task.

  private let lock = CoreLock()

  // Sound: accessed only while `lock` is held. The dynamic exclusivity check would repeat what the lock
  // ensures.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var entries: [Key: Entry] = [:]

  private let primitive: Primitive

  /// The users of an entry are the calls that have not been cancelled.
  private struct Entry: Sendable {
    let flight: Flight
    var users = 0
  }

  private final class Flight: Sendable {
    /// A copy of the key in the dictionary, so that no key ends under the lock.
    let key: Key
    let run = TaskTree()
    let task = OnceCell<Task<Void, Never>>()
    let result = OnceCell<Result<Value, any Error>>()
    let waiters = TaskWaiterQueue()

    init(_ key: Key) { self.key = key }
  }

  /// Creates an object without runs.
  ///
  /// - Parameters:
  ///   - label: The object's name in traps with the trait `DeadlockDetection`; without the trait it costs
  ///     nothing.
  ///   - file: The file in reports of `DeadlockDetection`.
  ///   - line: The line in those reports.
  public init(label: StaticString = "", file: StaticString = #fileID, line: UInt = #line) {
    primitive = Primitive(.singleFlight, label, file, line)
  }

  /// The value that a run for `key` makes: the run that is under way, or a new one of `make`.
  ///
  /// Suspends the task until the run has ended, or the task is cancelled. As each call waits, a task that is already
  /// cancelled begins no run, and throws. Traps inside the run for the same key, and where that run waits for the
  /// calling one.
  ///
  /// - **Wait**: it ends with the run; a task that is cancelled before or while it waits throws; no timeout; all
  ///   together; the run gets the task's priority; a throw of the run goes to all calls that wait, and the next one
  ///   begins another.
  ///
  /// - Parameters:
  ///   - key: Identifies the work.
  ///   - isolation: The caller's isolation.
  ///   - make: Makes the value, in a task of its own, unless a run for the key is under way. It may be destroyed
  ///     on any thread.
  /// - Returns: The value.
  /// - Throws: The error of the run; `CancellationError` if the task was cancelled while it waited.
  /// - Complexity: O(1); a task, if it begins a run.
  public func value(
    for key: Key, isolation: isolated (any Actor)? = #isolation,
    _ make: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let (flight, isNew) = join(key)
    if isNew { begin(flight, make) }
    let caller = TaskTree.current
    if let caller { checkWait(of: caller, for: flight.run) }
    let result = await result(of: flight)
    caller?.didWait()
    return try result.get()
  }

  /// The number of waiting tasks of each run, for tests.
  var waiterCounts: [Int] { lock.withLock { unsafe entries.values.map { $0.flight.waiters.count } } }

  private func join(_ key: Key) -> (flight: Flight, isNew: Bool) {
    lock.withLock {
      unsafe entries[key, default: Entry(flight: Flight(key))].users += 1
      let entry = unsafe entries[key]!
      return (entry.flight, entry.users == 1)
    }
  }

  private func checkWait(of caller: TaskTree, for run: TaskTree) {
    if caller === run {
      misuse(
        primitive, "waited for a key inside the run for that key",
        "make the value in the run itself, or use another key")
    }
    if caller.willWait(for: run) {
      misuse(
        primitive, "waited for a run that waits for the calling one",
        "make one of the values without the other, or both in one run")
    }
  }

  private func begin(_ flight: Flight, _ make: @escaping @Sendable () async throws -> Value) {
    let task = Task {
      let result = await flight.run.run { () -> Result<Value, any Error> in
        do { return .success(try await make()) } catch { return .failure(error) }
      }
      self.end(flight, result)
    }
    flight.task.set(task)
    let isBelow = flight.waiters.withList { list in
      // Sound: a task is one word, its address, which is also its `TaskIdentity`.
      !flight.result.isComplete
        && flight.waiters.setHolder(unsafe UInt64(unsafeBitCast(task, to: UInt.self)), &list)
    }
    if isBelow { flight.waiters.lend() }
  }

  /// Suspends the calling task until the flight has a result, which is an error if the task was cancelled first.
  private func result(
    of flight: Flight, isolation: isolated (any Actor)? = #isolation
  ) async -> Result<Value, any Error> {
    let waiter = TaskWaiter(priority: TaskIdentity.currentPriority)
    let waits = flight.waiters.withList { list in
      if flight.result.isComplete { return false }
      list.append(waiter)
      flight.waiters.willLend(waiter)
      return true
    }
    if waits {
      let outcome = await flight.waiters.wait(waiter, unlessCancelledUntil: .never) { self.leave(flight) }
      if outcome != .served { return .failure(CancellationError()) }
    }
    return flight.result.value!
  }

  private func end(_ flight: Flight, _ result: Result<Value, any Error>) {
    remove(flight) { _ in true }
    flight.result.set(result)
    for waiter in flight.waiters.takeAll() { waiter.resume() }
    flight.waiters.endHolding()
  }

  private func leave(_ flight: Flight) {
    let isAbandoned = remove(flight) { entry in
      entry.users -= 1
      return entry.users == 0
    }
    if isAbandoned { flight.task.value?.cancel() }
  }

  /// Removes the flight's entry if it is there and `condition` holds; returns whether it was removed.
  @discardableResult
  private func remove(_ flight: Flight, if condition: (inout Entry) -> Bool) -> Bool {
    lock.withLock {
      // After the flight was abandoned, another one may have its key.
      guard unsafe entries[flight.key]?.flight === flight else { return false }
      guard unsafe condition(&entries[flight.key]!) else { return false }
      unsafe entries.removeValue(forKey: flight.key)
      return true
    }
  }
}

extension SingleFlight: CustomReflectable {
  /// A mirror without children.
  ///
  /// Reflection does not acquire the lock, so it must not see the runs. Never blocks.
  @_documentation(visibility: internal)
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PrimitiveKind {
  static var singleFlight: PrimitiveKind { PrimitiveKind("SingleFlight", .isInitialization) }
}
