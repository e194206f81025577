internal import InterlockCore
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
/// - **Cancellation**: a waiting task that is cancelled gets `nil` immediately, even if the run does not
///   stop. The run is cancelled once all tasks that wait for it have been cancelled, and goes on while one of
///   them is left. A run that was cancelled has no part in later calls, which may begin another one before it
///   has ended.
/// - **Errors**: all tasks that wait for a run get its error.
/// - **Blocking**: a waiting task is suspended, and blocks no thread.
/// - **Isolation**: a run is a task of its own, with the priority and the task-local values of the call that
///   began it. Later callers don't raise the priority.
/// - **Recursion**: traps if a run, or a task that it has created, waits for the run's own key, also where
///   other keys are between. A detached task is not noticed.
/// - **Deadlocks it permits**: two runs that wait for each other's keys, where neither has begun the other; a
///   run that waits for a detached task that waits for the run's key.
/// - **Keys**: `==` and `hash(into:)` of a key run under a lock. They must not wait, and must not lock what
///   is locked around a cancellation.
/// - **Memory**: nothing but an empty dictionary while nothing runs.
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
    let run = Run()
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
  /// Suspends the task until the run has ended, or the task is cancelled. A task that is already cancelled
  /// begins no run. Traps inside the run for the same key.
  ///
  /// If the shared run throws an error of another type than `E`, from the closure of another call, a new run
  /// begins.
  ///
  /// - Parameters:
  ///   - key: Identifies the work.
  ///   - isolation: The caller's isolation.
  ///   - make: Makes the value, in a task of its own, unless a run for the key is under way. It may be destroyed
  ///     on any thread.
  /// - Returns: The value; `nil` when the task was cancelled while it waited.
  /// - Throws: The error of the run.
  /// - Complexity: O(1); a task, if it begins a run.
  public func value<E: Error>(
    for key: Key, isolation: isolated (any Actor)? = #isolation,
    _ make: @escaping @Sendable () async throws(E) -> Value
  ) async throws(E) -> Value? {
    while !Task.isCancelled {
      let flight = join(key)
      if flight.isNew { begin(flight.flight, make) }
      switch await result(of: flight.flight) {
      case .success(let value): return value
      case .failure(let error): if let error = error as? E { throw error }
      case nil: return nil
      }
    }
    return nil
  }

  /// The number of waiting tasks of each run, for tests.
  var waiterCounts: [Int] { lock.withLock { unsafe entries.values.map { $0.flight.waiters.count } } }

  private func join(_ key: Key) -> (flight: Flight, isNew: Bool) {
    let (flight, isNew) = lock.withLock {
      unsafe entries[key, default: Entry(flight: Flight(key))].users += 1
      let entry = unsafe entries[key]!
      return (entry.flight, entry.users == 1)
    }
    if !isNew, Run.enclosing.contains(where: { $0 === flight.run }) {
      misuse(
        primitive, "waited for a key inside the run for that key",
        "make the value in the run itself, or use another key")
    }
    return (flight, isNew)
  }

  private func begin<E: Error>(
    _ flight: Flight, _ make: @escaping @Sendable () async throws(E) -> Value
  ) {
    let enclosing = Run.enclosing.filter { !$0.hasEnded } + [flight.run]
    let task = Run.$enclosing.withValue(enclosing) {
      Task {
        do throws(E) {
          self.end(flight, .success(try await make()))
        } catch {
          self.end(flight, .failure(error))
        }
      }
    }
    _ = flight.task.set(task)
  }

  /// Suspends the calling task until the flight has a result; `nil` when the task was cancelled first.
  private func result(of flight: Flight, isolation: isolated (any Actor)? = #isolation) async -> Result<
    Value, any Error
  >? {
    let waiter = TaskWaiter()
    let waits = flight.waiters.withList { list in
      if flight.result.isComplete { return false }
      list.append(waiter)
      return true
    }
    if waits {
      let outcome = await flight.waiters.wait(waiter, unlessCancelledUntil: .never) { self.leave(flight) }
      if outcome != .served { return nil }
    }
    return flight.result.value
  }

  private func end(_ flight: Flight, _ result: Result<Value, any Error>) {
    flight.run.end()
    remove(flight) { _ in true }
    _ = flight.result.set(result)
    for waiter in flight.waiters.takeAll() { waiter.resume() }
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

/// The identity of a run, which the task-local values of its task refer to.
private final class Run: Sendable {
  /// The runs that the calling task is part of, and some that have ended.
  @TaskLocal static var enclosing: [Run] = []

  private let state = LockWord()

  /// Whether the run has ended; only to forget it, so the order of the load does not matter.
  var hasEnded: Bool { state.loadRelaxed() != 0 }

  func end() { state.storeRelaxed(1) }
}

extension SingleFlight: CustomReflectable {
  /// A mirror without children.
  ///
  /// Reflection does not acquire the lock, so it must not see the runs. Never blocks.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PrimitiveKind {
  static var singleFlight: PrimitiveKind { PrimitiveKind("SingleFlight", .isInitialization) }
}
