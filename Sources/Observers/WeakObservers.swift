public import InterlockCore
public import UnfairLocks

/// Observers in the order of their registration.
///
/// The list does not keep them alive.
///
/// ```swift
/// final class Rows: Sendable {
///   private let observers = WeakObservers<any RowsObserver>()
///
///   func observe(whileAlive observer: any RowsObserver) { observers.add(whileAlive: observer) }
///   func changed() { observers.forEach { $0.rowsChanged() } }
/// }
/// ```
///
/// `Observer` may be a class, or the existential type of a class-bound protocol. Swift can't express that as a
/// constraint, so a value that is not an object traps at run time. A registration ends when the observer is deallocated,
/// with `remove(_:)`, or when the token that `add(_:)` returned is destroyed.
///
/// # The bug it prevents
/// An array of observers keeps them alive, so an observer that unregisters in `deinit` is never unregistered.
/// A call through an `unowned` reference to a deallocated observer traps. An `ObjectIdentifier` of a
/// deallocated observer may be equal to that of a new object at the same address. If an observer registers
/// another one during its call, a lock that is held during the call deadlocks. Without a lock, threads that
/// register and iterate at the same time race.
///
/// # Guarantees
/// - **Order**: observers are called one after another, on the thread that calls `forEach`, in the order of
///   their registration. An observer that is registered twice is called twice.
/// - **During an iteration** any thread may begin and end registrations, iterate and release observers. An
///   observer that is registered meanwhile is not called in this iteration. An observer whose registration
///   ends before its call is not called.
/// - **Across threads**: when `remove(_:)` has returned, or the token has been destroyed, an
///   iteration on another thread may still call the observer, if it fetched the observer before. No other
///   call begins. To exclude that call, give the observer a `Lifecycle`: its `invalidate()` waits for the
///   call if it has begun, and otherwise drops it.
/// - **No lock** is held while an observer is called or released. An iteration keeps an observer alive during
///   its call, so the observer's `deinit` may run on that thread, right after the call.
///
/// - **Blocking**: beginning and ending a registration acquire a lock for a short time.
/// - **Misuse that traps**: an observer that is not an object.
/// - **Memory**: an object of 64 bytes for each registration. Registrations that were ended are freed when they
///   are half of all; those of deallocated observers when an iteration finds them, and when the number of
///   registrations has doubled since the last time.
public final class WeakObservers<Observer> {
  /// One registration.
  @usableFromInline
  final class Entry {
    @usableFromInline
    let reference: WeakReference<Observer>
    @usableFromInline
    let ended = LockWord()

    init(_ observer: Observer) {
      reference = WeakReference(observer)
    }

    @_alwaysEmitIntoClient
    var isRegistered: Bool { ended.loadRelaxed() == 0 }

    /// Ends the registration; returns whether this call did so, and no other before it.
    @_alwaysEmitIntoClient
    @discardableResult
    func end() -> Bool { ended.compareExchangeRelaxed(expected: 0, desired: 1).exchanged }
  }

  @usableFromInline
  let lock: UnfairLock

  // Sound: accessed only while `lock` is held. The dynamic exclusivity check would repeat at run time what
  // the lock already ensures.
  @exclusivity(unchecked)
  @usableFromInline
  nonisolated(unsafe) var entries: [Entry] = []

  // The number of entries at which registrations of deallocated observers are freed. Sound: accessed only
  // while `lock` is held.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var sweepsAt = leastSweep

  // The number of registrations that have ended, and are still in `entries`. Sound: accessed only while `lock`
  // is held. Too great by those that an iteration has removed before they were counted.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var endedCount = 0

  private static var leastSweep: Int { 16 }

  /// Makes a list without observers.
  ///
  /// - Parameters:
  ///   - label: The list's name in traps and reports with the trait `DeadlockDetection`; without the trait it costs
  ///     nothing.
  ///   - file: The file in reports of `DeadlockDetection`.
  ///   - line: The line in those reports.
  @_alwaysEmitIntoClient
  public convenience init(label: StaticString = "", file: StaticString = #fileID, line: UInt = #line) {
    self.init(Primitive(.weakObservers, label, file, line))
  }

  @usableFromInline
  init(_ primitive: Primitive) {
    lock = UnfairLock(primitive)
  }

  // MARK: Registration

  /// Adds an observer for as long as it lives.
  ///
  /// `remove(_:)` ends the registration earlier.
  ///
  /// - Parameter observer: The object to add. Traps if the value is not an object.
  /// - Complexity: O(1), amortised.
  public func add(whileAlive observer: Observer) {
    _ = append(observer)
  }

  /// Adds an observer, and returns a token for the registration.
  ///
  /// - Parameter observer: The object to add. Traps if the value is not an object.
  /// - Returns: The token. The registration ends when the token is destroyed or the observer is deallocated,
  ///   or with `remove(_:)`.
  /// - Complexity: O(1), amortised.
  public func add(_ observer: Observer) -> Registration {
    Registration(observers: self, entry: append(observer))
  }

  /// Removes an observer: ends all its registrations.
  ///
  /// - Parameter observer: The object whose registrations end.
  /// - Returns: Whether this call ended a registration. One call alone ends each registration.
  /// - Complexity: O(*n*) in the number of registrations.
  @discardableResult
  public func remove(_ observer: Observer) -> Bool {
    let object = observer as AnyObject
    let ended = snapshot.filter { $0.reference.holds(object) && $0.end() }
    if ended.isEmpty { return false }
    didEnd(ended.count)
    return true
  }

  /// The token of a registration.
  ///
  /// The registration ends when the token is destroyed. The token keeps the list alive, but not the observer.
  public struct Registration: ~Copyable {
    private let observers: WeakObservers
    private let entry: Entry

    fileprivate init(observers: WeakObservers, entry: Entry) {
      self.observers = observers
      self.entry = entry
    }

    deinit {
      if entry.end() { observers.didEnd(1) }
    }

    /// Ends the registration now.
    ///
    /// - Complexity: O(1), amortised.
    public consuming func end() {}
  }

  // MARK: Iteration

  // Clients compile the loop for their own observers: one that is not specialized takes four times as long.

  /// Calls `body` with each observer, in the order of their registration.
  ///
  /// It holds no lock while `body` runs. The documentation of the class says which observers are called if
  /// registrations change meanwhile.
  ///
  /// - Parameter body: Called with an observer.
  /// - Throws: The error of `body`. The remaining observers are not called.
  /// - Complexity: O(*n*) in the number of registrations, without copying the list unless it is changed
  ///   meanwhile.
  @_alwaysEmitIntoClient
  public func forEach<E: Error>(_ body: (Observer) throws(E) -> Void) throws(E) {
    var hasMetDead = false
    var isComplete = false
    // Removes ended registrations even if `body` threw an error, so that the next iteration does not visit
    // them.
    defer { if hasMetDead { removeEnded(isSweep: isComplete) } }
    for entry in snapshot where entry.isRegistered {
      if let observer = entry.reference.object {
        checkNoLockHeld(before: "an observer is called")
        try body(observer)
      } else {
        entry.end()
        hasMetDead = true
      }
    }
    isComplete = true
  }

  // MARK: The list

  /// The number of registrations in memory.
  package var entryCount: Int { snapshot.count }

  @_alwaysEmitIntoClient
  var snapshot: [Entry] {
    var entries: [Entry] = []
    lock.withLock { entries = unsafe self.entries }
    return entries
  }

  private func append(_ observer: Observer) -> Entry {
    guard type(of: observer as Any) is AnyClass else {
      misuse(
        lock.probe.primitive(.weakObservers),
        "given an observer of type \(type(of: observer as Any)), which is no object",
        "add an instance of a class")
    }
    let entry = Entry(observer)
    let isTimeToSweep = lock.withLock {
      unsafe entries.append(entry)
      return unsafe entries.count >= sweepsAt
    }
    if isTimeToSweep {
      // This loop runs outside the lock, because `isAlive` retains the object for a moment. The release may
      // run the object's `deinit`, which may use this list.
      for entry in snapshot where !entry.reference.isAlive { entry.end() }
      removeEnded(isSweep: true)
    }
    return entry
  }

  /// Frees the entries of ended registrations if they are half of all: so each costs O(1), amortised.
  private func didEnd(_ count: Int) {
    let isTimeToRemove = lock.withLock {
      unsafe endedCount += count
      return unsafe 2 * endedCount >= entries.count
    }
    if isTimeToRemove { removeEnded() }
  }

  /// Frees the entries of ended registrations.
  ///
  /// The lock can be held meanwhile, because the `deinit` of an entry runs no foreign code.
  ///
  /// - Parameter isSweep: Whether the caller has ended the registrations of all deallocated observers. If so,
  ///   they are next looked for when the list has doubled.
  @usableFromInline
  func removeEnded(isSweep: Bool = false) {
    lock.withLock {
      unsafe entries.removeAll { !$0.isRegistered }
      unsafe endedCount = 0
      if isSweep { unsafe sweepsAt = max(Self.leastSweep, 2 * entries.count) }
    }
  }
}

// `@unchecked Sendable` is sound: the list is accessed only under the lock. Entries never change except for
// an atomic flag.
extension WeakObservers: @unchecked Sendable where Observer: Sendable {}

// `@unchecked Sendable` is sound: a token never changes, and any thread may use the list and the entry to
// which it refers.
extension WeakObservers.Registration: @unchecked Sendable where Observer: Sendable {}

extension WeakObservers: CustomReflectable {
  /// A mirror without children.
  ///
  /// Reflection does not acquire the lock, so it must not see the list. Never blocks.
  @_documentation(visibility: internal)
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PrimitiveKind {
  @_alwaysEmitIntoClient
  @_transparent
  package static var weakObservers: PrimitiveKind { PrimitiveKind("WeakObservers") }
}
