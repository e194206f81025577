public import InterlockCore
public import ReadWriteLocks

/// An asynchronous sequence of values derived from a protector's value: first the current one, then the
/// newest one after each change.
///
/// ```swift
/// for await points in players.values(of: { $0.points }) { show(points) }
/// ```
///
/// An iterator never gets an older value after a newer one. If several write sections end before the task
/// asks for the next value, the task gets only the newest value. It always gets the last value. A value is
/// skipped if it is `Equatable` (with a conformance that is not isolated to an actor) and equals the one that the
/// iterator returned before. Otherwise every write section counts as a change.
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
  /// Whether the second value need not be returned after the first; `nil` if each is returned.
  @usableFromInline
  let isRepetition: (@Sendable (Element, Element) -> Bool)?

  @_alwaysEmitIntoClient
  init(
    queue: UInt, _ primitive: Primitive, read: @escaping @Sendable (ValueObserver) -> Element,
    isRepetition: (@Sendable (Element, Element) -> Bool)?
  ) {
    self.queue = queue
    self.primitive = primitive
    self.read = read
    self.isRepetition = isRepetition
  }

  /// An iterator that awaits one value after another; traps if two tasks await it at the same time.
  public struct AsyncIterator: AsyncIteratorProtocol, CustomReflectable {
    private var source: ValueSource<Element>?

    fileprivate init(_ source: ValueSource<Element>) { self.source = source }

    /// A mirror without children.
    ///
    /// Reflection has no lock, so it must not see the iterator's place among those that wait. Never blocks.
    @_documentation(visibility: internal)
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Returns the current value at the first call, and at later calls the newest value after a further
    /// change; `nil` when the task is cancelled.
    ///
    /// It waits as `next(isolation:)` does.
    public mutating func next() async -> Element? {
      await next(isolation: nil)
    }

    /// Returns the current value at the first call, and at later calls the newest value after a further
    /// change; `nil` when the task is cancelled.
    ///
    /// The first call does not suspend the task, and neither does a call after a change to another value.
    ///
    /// - **Wait**: it ends with a write that changes the element; cancellation ends the sequence; no timeout; all
    ///   iterators together; no priority is lent; it throws nothing.
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
    AsyncIterator(ValueSource(ValueObserver(queue: queue, primitive), read, isRepetition))
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
  private let isRepetition: (@Sendable (Element, Element) -> Bool)?
  private var hasBegun = false
  /// The newest returned value; `nil` if values are not compared, so that none is kept alive.
  private var last: Element?
  private var isAwaited = false

  init(
    _ observer: ValueObserver, _ read: @escaping @Sendable (ValueObserver) -> Element,
    _ isRepetition: (@Sendable (Element, Element) -> Bool)?
  ) {
    self.observer = observer
    self.read = read
    self.isRepetition = isRepetition
  }

  deinit {
    observer.leave()
  }

  func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
    if isAwaited {
      misuse(
        "ProtectorValues", "an iterator is awaited by two tasks at once", "make an iterator for each task")
    }
    isAwaited = true
    defer { isAwaited = false }
    while true {
      if hasBegun { _ = await observer.isServedAfterSuspension() }
      if Task.isCancelled { return nil }
      hasBegun = true
      let value = read(observer)
      guard let isRepetition else { return value }
      if let last, isRepetition(last, value) { continue }
      last = value
      return value
    }
  }
}

extension GuardedValue where Value: ~Copyable, Lock: RawLock & ~Copyable {
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
    values(of: projection, isRepetition: nil)
  }

  /// An asynchronous sequence of the distinct results of `projection`: for the current value, and then the
  /// newest value whenever the result has changed.
  ///
  /// The same as `values(of:)` for other types, but without consecutive values that are equal. An iterator
  /// keeps the value that it returned last.
  ///
  /// The conformance to `Equatable` must be `nonisolated`. Where it belongs to an actor, for example in a module with
  /// the default isolation `MainActor`, and in generic code without the constraint, the compiler chooses the function
  /// for other types, without a message.
  ///
  /// - Parameter projection: Makes an element of the sequence from the protector's value. It runs in the
  ///   awaiting task, once after each change. It must be quick, because it runs in a write section. The
  ///   element is neither compared nor destroyed in a section.
  /// - Returns: A sequence that any number of tasks can iterate over, each from its current value on.
  /// - Complexity: As for other types. A result that is equal costs a write section too.
  @_alwaysEmitIntoClient
  public func values<X: Sendable & Equatable>(
    of projection: @escaping @Sendable (borrowing Value) -> X
  ) -> ProtectorValues<X> {
    values(of: projection, isRepetition: { $0 == $1 })
  }

  @_alwaysEmitIntoClient
  func values<X: Sendable>(
    of projection: @escaping @Sendable (borrowing Value) -> X,
    isRepetition: (@Sendable (X, X) -> Bool)?
  ) -> ProtectorValues<X> {
    ProtectorValues(
      queue: waiters.key, predicate.primitive(.predicate),
      read: { observer in
        self.ownLock.beginAccess(for: Lock.kindInProtector)
        return self.ownLock.finishAccess(for: Lock.kindInProtector) {
          observer.join()
          // Sound: the thread is in a write section, which guards the value.
          return unsafe projection(self.data)
        }
      }, isRepetition: isRepetition)
  }
}
