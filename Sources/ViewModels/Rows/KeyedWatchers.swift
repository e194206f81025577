internal import Protectors

/// Values by object, for as long as the objects live: a registry that keeps none of its keys alive.
///
/// ```swift
/// let watchers = KeyedWatchers<@MainActor (Int) -> Void>()
/// watchers.set({ [weak view] in view?.show($0) }, for: view)
/// watchers.forEach { _, watch in watch(7) }
/// // When the view is gone, so is its watcher: there is nothing to unwatch.
/// ```
///
/// - **Identity**: a key is the object, not its address. An object that stands where a dead key stood finds
///   no value of it.
/// - **Iteration**: goes through the keys that were there when it began, in the order in which they came. A
///   key that dies meanwhile, or is taken out, is passed over; one that is visited lives until its visit has
///   ended.
/// - **A value that holds its key** keeps it alive: capture the key weakly.
/// - **Memory**: values of dead keys are released when the registry has grown to twice the keys that lived
///   when it was last tidied, and by `removeDead()`.
/// - **Threads**: any. Values and keys are released outside the lock, so their deinits may use the registry.
public final class KeyedWatchers<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    weak let key: (any AnyObject & Sendable)?
    let value: Value
    /// Tells this entry from others of the same address, and which came first.
    let number: Int
  }

  private struct State: Sendable {
    var entries: [ObjectIdentifier: Entry] = [:]
    var nextNumber = 0
    /// How many entries there may be before the dead are removed.
    var limit = 16
  }

  // No weak reference is read under the lock: the one that is read may turn out to be the last, and end its
  // object there.
  private let state = Protector(State())

  /// Makes an empty registry.
  public init() {}

  /// Sets the value of an object.
  ///
  /// - Parameters:
  ///   - value: The value; it takes the place of an earlier one.
  ///   - key: The object, which is not kept alive.
  /// - Complexity: O(1) on average.
  public func set(_ value: Value, for key: some AnyObject & Sendable) {
    let (replaced, isFull) = state.withWriteLock { state -> (Entry?, Bool) in
      state.nextNumber += 1
      let entry = Entry(key: key, value: value, number: state.nextNumber)
      let replaced = state.entries.updateValue(entry, forKey: ObjectIdentifier(key))
      return (replaced, state.entries.count > state.limit)
    }
    withExtendedLifetime(replaced) {}
    if isFull { removeDead() }
  }

  /// The value of an object; `nil` where it has none.
  ///
  /// - Parameter key: The object.
  /// - Complexity: O(1) on average.
  public func value(for key: some AnyObject & Sendable) -> Value? {
    let entry = state.withReadLock { $0.entries[ObjectIdentifier(key)] }
    return entry?.key === key ? entry?.value : nil
  }

  /// Takes the value of an object out.
  ///
  /// - Parameter key: The object.
  /// - Complexity: O(1) on average.
  public func remove(_ key: some AnyObject & Sendable) {
    // An entry at this address is the key's, or that of a dead one.
    let removed = state.withWriteLock { $0.entries.removeValue(forKey: ObjectIdentifier(key)) }
    withExtendedLifetime(removed) {}
  }

  /// Calls `body` with each key that is alive and its value, in the order in which they came.
  ///
  /// - Parameter body: What to do; it may use the registry.
  /// - Throws: What `body` throws.
  /// - Complexity: O(*n* log *n*).
  public func forEach<E: Error>(
    _ body: (_ key: any AnyObject & Sendable, _ value: Value) throws(E) -> Void
  ) throws(E) {
    let entries = state.snapshot.entries
    for (id, entry) in entries.sorted(by: { $0.value.number < $1.value.number }) {
      guard let key = entry.key else { continue }
      guard state.withReadLock({ $0.entries[id]?.number == entry.number }) else { continue }
      try body(key, entry.value)
    }
  }

  /// Whether there is no entry, not even of a dead key.
  public var isEmpty: Bool { state.withReadLock { $0.entries.isEmpty } }

  /// How many keys are alive.
  ///
  /// - Complexity: O(*n*).
  public var liveCount: Int { state.snapshot.entries.values.count { $0.key != nil } }

  /// Releases the values of keys that are dead.
  ///
  /// - Complexity: O(*n*).
  public func removeDead() {
    let dead = state.snapshot.entries.filter { $0.value.key == nil }
    let removed = state.withWriteLock { state -> [Entry] in
      var removed: [Entry] = []
      // An address may have become that of another key since.
      for (id, entry) in dead where state.entries[id]?.number == entry.number {
        state.entries.removeValue(forKey: id).map { removed.append($0) }
      }
      state.limit = max(16, 2 * state.entries.count)
      return removed
    }
    withExtendedLifetime(removed) {}
  }
}
