internal import PlatformLocks
internal import UnfairLocks

/// Observers, in the order of their registration, none of which is kept alive.
///
/// ```swift
/// final class Rows: Sendable {
///   private let observers = WeakObservers<any RowsObserver>()
///
///   func add(_ observer: any RowsObserver) { observers.add(observer) }
///   func changed() { observers.forEach { $0.rowsChanged() } }
/// }
/// ```
///
/// `Observer` may be a class, or the existential type of a protocol that only classes conform to, as in `WeakHolder`. A
/// registration ends when the observer goes, or is removed, or when the token goes that `register(_:)` returned.
///
/// # The bug it prevents
/// An array of observers keeps them alive, and they unregister in a `deinit` that never comes. With `ObjectIdentifier`s
/// or `unowned` references instead, another object at the same address is called in the place of one that has gone. And
/// calling observers from inside a lock, or from the array itself, ends in a deadlock, or in a trap when one of them
/// registers another.
///
/// # What happens when
/// - **Order**: observers are called one after another, on the thread that calls `forEach`, in the order of their registration. An
///   observer that is registered twice is called twice.
/// - **During an iteration** anybody may register, remove, iterate and release observers. Who is registered meanwhile is not called
///   in this iteration; who is removed meanwhile, or goes, and has not been called yet, is not called.
/// - **Across threads**: once `remove` has returned, or the token has gone, an iteration that looks for its next observer will not
///   find this one. One that another thread is making may have found it just before, and call it just after. Where that must
///   not be, the observer has a `Lifecycle`, whose `invalidate()` waits for such a call and drops what comes later.
/// - **No lock** is held while an observer is called, or while one is released. While it is called, an observer is kept
///   alive; so its `deinit` may run at the end of an iteration, on that thread.
///
/// - **Blocking**: registering and removing look at a list under a lock, for a short time.
/// - **Misuse that traps**: an observer that is no object.
/// - **Memory**: an object of 64 bytes for each registration. Those of observers that have gone are swept when an
///   iteration meets them, and when registrations have doubled since the last sweep.
public final class WeakObservers<Observer> {
  /// One registration.
  fileprivate final class Entry {
    let holder: WeakHolder<Observer>
    private let ended = LockWord()

    init(_ observer: Observer) {
      holder = WeakHolder(observer)
    }

    /// Whether it has neither been removed nor found dead.
    var isRegistered: Bool { ended.loadRelaxed() == 0 }

    func end() { ended.storeRelaxed(1) }
  }

  private let lock = UnfairLock()

  // Sound: only touched while `lock` is held; the dynamic check would repeat at run time what the lock already ensures.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var entries: [Entry] = []

  // Sound: as above. How many entries there are when it is time to look for dead ones.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var sweepsAt = leastSweep

  private static var leastSweep: Int { 16 }

  /// Makes a list without observers.
  public init() {}

  // MARK: Registration

  /// Registers an observer, until it goes or is removed.
  ///
  /// - Parameter observer: An object. A value that is none traps.
  /// - Complexity: O(1), amortised.
  public func add(_ observer: Observer) {
    _ = append(observer)
  }

  /// Registers an observer, until it goes, or is removed, or the token goes.
  ///
  /// - Parameter observer: An object. A value that is none traps.
  /// - Returns: The token, which unregisters when it goes.
  /// - Complexity: O(1), amortised.
  public func register(_ observer: Observer) -> Registration {
    Registration(observers: self, entry: append(observer))
  }

  /// Ends all registrations of an observer.
  ///
  /// - Parameter observer: The object.
  /// - Returns: Whether there were any.
  /// - Complexity: O(*n*) in the number of registrations.
  @discardableResult
  public func remove(_ observer: Observer) -> Bool {
    let object = observer as AnyObject
    let found = snapshot.filter { $0.isRegistered && $0.holder.holds(object) }
    if found.isEmpty { return false }
    for entry in found { entry.end() }
    removeEnded()
    return true
  }

  /// A registration that ends when it goes.
  ///
  /// It keeps the list alive, and not the observer.
  public struct Registration: ~Copyable {
    private let observers: WeakObservers
    private let entry: Entry

    fileprivate init(observers: WeakObservers, entry: Entry) {
      self.observers = observers
      self.entry = entry
    }

    deinit {
      guard entry.isRegistered else { return }
      entry.end()
      observers.removeEnded()
    }

    /// Ends the registration now.
    ///
    /// - Complexity: O(*n*) in the number of registrations.
    public consuming func end() {}
  }

  // MARK: Iteration

  /// Calls `body` with each observer, in the order of their registration.
  ///
  /// It holds no lock while `body` runs; the class's documentation says what happens to observers that come and go
  /// meanwhile.
  ///
  /// - Parameter body: What to do with an observer.
  /// - Throws: What `body` throws; the observers after that are not called.
  /// - Complexity: O(*n*) in the number of registrations, without copying the list unless it is changed meanwhile.
  public func forEach<E: Error>(_ body: (Observer) throws(E) -> Void) throws(E) {
    var hasMetDead = false
    var isComplete = false
    // Also after an error: those that were ended here are not met again.
    defer { if hasMetDead { removeEnded(isSweep: isComplete) } }
    for entry in snapshot where entry.isRegistered {
      if let observer = entry.holder.object {
        try body(observer)
      } else {
        entry.end()
        hasMetDead = true
      }
    }
    isComplete = true
  }

  // MARK: The list

  /// How many registrations are in memory.
  package var entryCount: Int { snapshot.count }

  private var snapshot: [Entry] {
    var entries: [Entry] = []
    lock.withLock { entries = unsafe self.entries }
    return entries
  }

  private func append(_ observer: Observer) -> Entry {
    let entry = Entry(observer)
    let isTimeToSweep = lock.withLock {
      unsafe entries.append(entry)
      return unsafe entries.count >= sweepsAt
    }
    if isTimeToSweep {
      // Looking whether an object is alive keeps it alive for that moment, and may end in its `deinit`: not under the lock.
      for entry in snapshot where !entry.holder.isAlive { entry.end() }
      removeEnded(isSweep: true)
    }
    return entry
  }

  /// Frees the entries of registrations that have ended: objects of this file, whose end runs no code of others.
  ///
  /// - Parameter isSweep: Whether those of dead observers have been ended before, so that those left are of living ones.
  private func removeEnded(isSweep: Bool = false) {
    lock.withLock {
      unsafe entries.removeAll { !$0.isRegistered }
      if isSweep { unsafe sweepsAt = max(Self.leastSweep, 2 * entries.count) }
    }
  }
}

// Sound: the list is only touched under the lock; entries never change but for an atomic flag.
extension WeakObservers: @unchecked Sendable where Observer: Sendable {}

// Sound: as above.
extension WeakObservers.Registration: @unchecked Sendable where Observer: Sendable {}
