public import DeadlockDetector
public import LockSupport
public import ReadWriteLocks

/// An asynchronous sequence of values derived from a protector's value: first the current one, then the
/// newest one after each change.
///
/// ```swift
/// for await points in players.values(of: { $0.points }) { show(points) }
/// ```
///
/// An iterator never gets an older value after a newer one. If several write sections end before the task
/// asks for the next value, the task gets only the newest value. It always gets the last value. Every write
/// section counts as a change, so consecutive values may be equal.
///
/// - **Several tasks**: each `for await` loop has an iterator of its own, which gets values independently.
///   Two tasks that await copies of one iterator at the same time trap.
/// - **End**: the sequence keeps the protector alive, and ends only when the task is cancelled. When a loop
///   is left in another way, for example with `break`, the protector forgets the loop's iterator.
/// - **Cost**: a write section resumes each task that waits for a value. Once a task's value is out of date,
///   further write sections cost nothing for it until it asks for the next value.
@frozen
public struct ProtectorValues<Element: Sendable>: AsyncSequence, Sendable {
  @usableFromInline
  let queue: UInt
  @usableFromInline
  let primitive: Primitive
  /// Queues the observer and returns the current value, in one write section, so that no change is missed.
  @usableFromInline
  let read: @Sendable (ValueObserver) -> Element

  @_alwaysEmitIntoClient
  init(queue: UInt, _ primitive: Primitive, read: @escaping @Sendable (ValueObserver) -> Element) {
    self.queue = queue
    self.primitive = primitive
    self.read = read
  }

  /// An iterator that awaits one value after another; traps if two tasks await it at the same time.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var source: ValueSource<Element>?

    fileprivate init(_ source: ValueSource<Element>) { self.source = source }

    /// Returns the current value at the first call, and at later calls the newest value after a further
    /// change; `nil` when the task is cancelled.
    public mutating func next() async -> Element? {
      await next(isolation: nil)
    }

    /// Returns the current value at the first call, and at later calls the newest value after a further
    /// change; `nil` when the task is cancelled.
    ///
    /// The first call does not suspend the task, and neither does a call after a change.
    ///
    /// - Parameter actor: The caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      let value = await source?.next()
      if value == nil { source = nil }
      return value
    }
  }

  /// Makes an iterator, whose first value is the current one.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(ValueSource(ValueObserver(queue: queue, primitive), read))
  }
}

/// The state that an iterator shares with its copies.
private final class ValueSource<Element: Sendable> {
  private let observer: ValueObserver
  /// Queues the observer and returns the protector's current value, in one write section, so that no change
  /// is missed.
  ///
  /// The closure keeps the protector alive.
  private let read: @Sendable (ValueObserver) -> Element
  private var hasBegun = false
  private var isAwaited = false

  init(_ observer: ValueObserver, _ read: @escaping @Sendable (ValueObserver) -> Element) {
    self.observer = observer
    self.read = read
  }

  deinit {
    observer.leave()
  }

  nonisolated(nonsending) func next() async -> Element? {
    if isAwaited {
      misuse(
        "ProtectorValues", "an iterator is awaited by two tasks at once", "make an iterator for each task")
    }
    isAwaited = true
    defer { isAwaited = false }
    if hasBegun { await observer.waitForChange() }
    if Task.isCancelled { return nil }
    hasBegun = true
    return read(observer)
  }
}

extension LockProtector where Value: ~Copyable, Lock: ~Copyable {
  /// An asynchronous sequence of the results of `projection`: for the current value, and after each change
  /// for the newest value.
  ///
  /// ```swift
  /// let players = Protector(Players())
  /// for await points in players.values(of: { $0.points }) { show(points) }
  /// ```
  ///
  /// The sequence has no task or thread of its own. It keeps the protector alive, and ends with the task that
  /// awaits it; see `ProtectorValues`.
  ///
  /// - **Blocking**: only while another thread holds the lock. Between changes the task is suspended.
  /// - **Traps**: a projection that uses the protector, because that would be a nested section.
  ///
  /// - Parameter projection: Makes an element of the sequence from the protector's value. It runs in the
  ///   awaiting task, once for each element. It must be quick, because it runs in a write section. The
  ///   element is not destroyed in a section.
  /// - Returns: A sequence that any number of tasks can iterate over, each from its current value on.
  /// - Complexity: A delivered value costs a write section. A write section costs O(*n*) with *n* tasks that
  ///   wait for a change, and one load when no task or thread waits.
  @_alwaysEmitIntoClient
  public func values<X: Sendable>(
    of projection: @escaping @Sendable (borrowing Value) -> X
  ) -> ProtectorValues<X> {
    ProtectorValues(queue: waiters.key, predicate.primitive(.predicate)) { observer in
      self.lock.withWriteLock {
        observer.join()
        // Sound: the thread is in a write section, which guards the value.
        return unsafe projection(self.value)
      }
    }
  }
}
