public import UnfairLocks

/// A property of any type whose every access is one step, also `+=`.
///
/// ```swift
/// final class Statistics: Sendable {
///   let requests = AtomicProperty(0)
///   let names = AtomicProperty<[String]>([])
/// }
/// let statistics = Statistics()
/// statistics.requests.value += 1                       // one step: no other thread comes between
/// statistics.names.modify { $0.append("Ann") }         // in place: the array is not copied
/// ```
///
/// As a property wrapper, where properties may be `var`:
///
/// ```swift
/// @AtomicProperty var requests = 0
/// requests += 1
/// $requests.modify { $0 *= 2 }                         // `$requests` is the object itself
/// ```
///
/// Swift's property wrappers can't be `let`, so the wrapper form can't stand in a `Sendable` class; the form with `let` can.
///
/// # The bug it prevents
/// A wrapper whose getter and setter each take the lock makes `+=` two steps, and an increment that falls between them is
/// lost:
///
/// ```swift
/// var wrappedValue: Int {
///   get { lock.withLock { storage } }
///   set { lock.withLock { storage = newValue } }       // requests += 1: get, add, set
/// }
/// ```
///
/// Here the accessor holds the lock from before the value is read until after it is written back.
///
/// Two accesses are two steps: `if property.value == 0 { property.value = 1 }` lets others in between. Use
/// `compareExchange(expected:desired:)` or `modify(_:)`.
///
/// - **Blocking**: each access waits while another thread is in one. The lock is an `UnfairLock`: see there for fairness.
/// - **Recursion**: an access inside `modify(_:)`, or inside a function that has the value as `inout`, traps.
/// - **Asynchronous code**: `await f(&property.value)` compiles where `f` is asynchronous, and is a mistake: the access lasts
///   until `f` returns. It traps when the task resumes on another thread, or when another task wants the property on the thread
///   that the suspended one had. Until then other threads wait. Await before or after the access.
/// - **Deadlocks it permits**: a modification that waits for a thread which needs the property, or for a task while it blocks the
///   threads that run tasks.
/// - **Memory**: one object that holds the lock and the value.
@propertyWrapper
public final class AtomicProperty<Value: Sendable>: Sendable {
  @usableFromInline
  let lock: UnfairLock

  // Sound: only touched while `lock` is held, or by `init` and `deinit`; the dynamic check would repeat at run time what
  // the lock already ensures.
  @exclusivity(unchecked)
  @usableFromInline
  nonisolated(unsafe) var storage: Value

  /// Makes a property.
  ///
  /// - Parameter value: Its first value.
  @inlinable
  public init(_ value: Value) {
    lock = UnfairLock()
    unsafe storage = value
  }

  /// Makes a property; the compiler calls this for `@AtomicProperty var`.
  ///
  /// - Parameter wrappedValue: Its first value.
  @inlinable
  public convenience init(wrappedValue: Value) {
    self.init(wrappedValue)
  }

  // MARK: Access

  /// The value.
  ///
  /// Reading copies it. Assigning replaces it, and what it held before is released after the lock is released. Compound
  /// assignment, calling a mutating method and passing it `inout` hold the lock from before the value is read until after
  /// it is written back. Traps inside a modification of the same property. Don't pass it `inout` to an asynchronous function.
  ///
  /// - Complexity: O(1) to read and to assign, when nobody else is in.
  @inlinable
  public var value: Value {
    get {
      lock.beginAccess(for: .atomicProperty)
      defer { lock.endAccess(for: .atomicProperty) }
      return unsafe storage
    }
    set {
      _ = exchange(newValue)
    }
    _modify {
      lock.beginAccess(for: .atomicProperty)
      defer { lock.endAccess(for: .atomicProperty) }
      yield unsafe &storage
    }
  }

  /// The value; see `value`.
  @inlinable
  public var wrappedValue: Value {
    get { value }
    set { _ = exchange(newValue) }
    _modify { yield &value }
  }

  /// The object itself, `$name` of a wrapped property.
  @inlinable
  public var projectedValue: AtomicProperty<Value> { self }

  /// Runs `body` with the value, to change it in place in one step.
  ///
  /// Nothing is copied: an array that nobody else holds keeps its storage. Traps inside a modification of the same
  /// property.
  ///
  /// - Parameter body: What to do with the value.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  public func modify<R: ~Copyable, E: Error>(
    _ body: (inout Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    lock.beginAccess(for: .atomicProperty)
    defer { lock.endAccess(for: .atomicProperty) }
    return try unsafe body(&storage)
  }

  /// Replaces the value.
  ///
  /// - Parameter newValue: What to put in.
  /// - Returns: What was there. It is released by the caller, after the lock was released.
  @inlinable
  @discardableResult
  public func exchange(_ newValue: Value) -> Value {
    var value = newValue
    lock.beginAccess(for: .atomicProperty)
    defer { lock.endAccess(for: .atomicProperty) }
    unsafe swap(&storage, &value)
    return value
  }
}

extension AtomicProperty where Value: Equatable {
  /// Replaces the value by `desired` if it equals `expected`, in one step.
  ///
  /// The comparison is that of `Value` and runs under the lock: it must not use the property.
  ///
  /// - Parameters:
  ///   - expected: What the value has to be.
  ///   - desired: What to put in.
  /// - Returns: Whether it was replaced, and what was there before.
  @inlinable
  @discardableResult
  public func compareExchange(expected: Value, desired: Value) -> (exchanged: Bool, original: Value) {
    // The original is handed out, so that it is released after the lock is released.
    lock.beginAccess(for: .atomicProperty)
    defer { lock.endAccess(for: .atomicProperty) }
    let original = unsafe storage
    let isExpected = original == expected
    if isExpected { unsafe storage = desired }
    return (isExpected, original)
  }
}
