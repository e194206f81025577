internal import Protectors

/// A registry that maps objects to values, and does not keep the objects alive.
///
/// ```swift
/// let observers = KeyedObservers<@MainActor (Int) -> Void>()
/// observers.set({ [weak view] in view?.show($0) }, for: view)
/// observers.forEach { _, show in show(7) }
/// // The observation ends with the view: there is nothing to unregister.
/// ```
///
/// - **Identity**: a key is the object, not its address. An object at the address of a deallocated key does
///   not find that key's value.
/// - **Iteration**: `forEach` visits the keys that existed when it began, in the order in which their values
///   were set. It skips a key that is deallocated, removed or given another value meanwhile. It keeps a key
///   alive during its visit.
/// - **Values that refer to their key**: a value with a strong reference to its key keeps the key alive.
///   Capture the key weakly.
/// - **Memory**: `removeDead()` releases the values of deallocated keys. The registry calls it automatically
///   each time that the number of entries has doubled.
/// - **Threads**: any thread may use a registry. Values and keys are released outside the lock, so their
///   deinits may use the registry.
public final class KeyedObservers<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    weak let key: (any AnyObject & Sendable)?
    let value: Value
    /// The number of the call of `set(_:for:)` that made the entry.
    ///
    /// The number distinguishes entries whose keys had the same address.
    let number: Int
  }

  private struct State: Sendable {
    var entries: [ObjectIdentifier: Entry] = [:]
    var nextNumber = 0
    /// The number of entries above which `set(_:for:)` removes the entries of deallocated keys.
    ///
    /// After each removal it is twice the number of the remaining entries, but at least 16.
    var limit = 16
  }

  // Code under this lock must not read a weak reference. Reading makes a strong reference, which may become
  // the last one to its object; the object would then be destroyed under the lock.
  private let state = Protector(State())

  /// Makes an empty registry.
  public init() {}

  /// Sets the value of an object.
  ///
  /// - Parameters:
  ///   - value: The value. It replaces an earlier value of the object.
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

  /// The value of an object; `nil` if it has none.
  ///
  /// - Parameter key: The object.
  /// - Complexity: O(1) on average.
  public func value(for key: some AnyObject & Sendable) -> Value? {
    let entry = state.withReadLock { $0.entries[ObjectIdentifier(key)] }
    return entry?.key === key ? entry?.value : nil
  }

  /// Removes the value of an object, if it has one.
  ///
  /// - Parameter key: The object.
  /// - Complexity: O(1) on average.
  public func remove(_ key: some AnyObject & Sendable) {
    // The entry at this address belongs to the key, or to a deallocated object that had the same address.
    // Either may be removed.
    let removed = state.withWriteLock { $0.entries.removeValue(forKey: ObjectIdentifier(key)) }
    withExtendedLifetime(removed) {}
  }

  /// Calls `body` with each live key and its value, in the order in which the values were set.
  ///
  /// - Parameter body: Called for each key; it may use the registry.
  /// - Throws: The error of `body`.
  /// - Complexity: O(*n* log *n*).
  public func forEach<E: Error>(
    _ body: (_ key: any AnyObject & Sendable, _ value: Value) throws(E) -> Void
  ) throws(E) {
    let entries = state.value.entries
    for (id, entry) in entries.sorted(by: { $0.value.number < $1.value.number }) {
      guard let key = entry.key else { continue }
      guard state.withReadLock({ $0.entries[id]?.number == entry.number }) else { continue }
      try body(key, entry.value)
    }
  }

  /// Whether the registry has no entries; entries of deallocated keys count until they are removed.
  public var isEmpty: Bool { state.withReadLock { $0.entries.isEmpty } }

  /// The number of live keys.
  ///
  /// - Complexity: O(*n*).
  public var liveCount: Int { state.value.entries.values.count { $0.key != nil } }

  /// Releases the values of deallocated keys.
  ///
  /// - Complexity: O(*n*).
  public func removeDead() {
    let dead = state.value.entries.filter { $0.value.key == nil }
    // The values of dead keys are released with the old state, after the unlock.
    state.exchange { state in
      let live = state.entries.filter { id, entry in
        // The number identifies the dead entry, because another key may have the same address by now.
        dead[id]?.number != entry.number
      }
      return State(entries: live, nextNumber: state.nextNumber, limit: max(16, 2 * live.count))
    }
  }
}
