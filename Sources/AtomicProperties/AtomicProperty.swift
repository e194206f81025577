public import InterlockCore
public import UnfairLocks

/// A property of any type whose every access is one atomic step, including `+=`.
///
/// ```swift
/// final class Statistics: Sendable {
///   let requests = AtomicProperty(0)
///   let names = AtomicProperty<[String]>([])
/// }
/// let statistics = Statistics()
/// statistics.requests.value += 1                       // one step: no other access comes between
/// statistics.names.update { $0.append("Ann") }         // in place: the array is not copied
/// ```
///
/// As a property wrapper, where properties may be `var`:
///
/// ```swift
/// @AtomicProperty var requests = 0
/// requests += 1
/// $requests.update { $0 *= 2 }                         // `$requests` is the object itself
/// ```
///
/// Swift's property wrappers can't be `let`, so a `Sendable` class can't use the wrapper. It can use the form
/// with `let`.
///
/// # The bug it prevents
/// A wrapper whose getter and setter each acquire the lock makes `+=` two steps. An increment of another
/// thread between them is lost:
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
/// Two accesses are two steps: in `if property.value == 0 { property.value = 1 }` another thread may come
/// between. Use `compareExchange(expected:desired:)` or `update(_:)`.
///
/// - **Blocking**: each access blocks while another thread accesses the property. The lock is an
///   `UnfairLock`, whose documentation states the fairness.
/// - **Recursion**: an access inside `update(_:)`, or inside a function that has the value as `inout`, traps.
/// - **Asynchronous code**: don't write `await f(&property.value)` with an asynchronous `f`, although it
///   compiles. The access lasts until `f` returns, and other threads block until then. The access traps if
///   the task resumes on another thread. It also traps if another task accesses the property on the thread
///   where the first task was suspended. Await before or after the access.
/// - **Deadlocks it permits**: a modification that waits for a thread which needs the property; a
///   modification in asynchronous code that blocks its thread until some task ends, while no other thread can
///   run that task.
/// - **Memory**: one object that holds the lock and the value.
@propertyWrapper
@_fixed_layout  // With library evolution, the inlinable initializer needs it.
public final class AtomicProperty<Value: Sendable>: Sendable {
  @usableFromInline
  let lock: UnfairLock

  // Sound: accessed only while `lock` is held, or by `init` and `deinit`. The dynamic exclusivity check would
  // repeat at run time what the lock already ensures.
  @exclusivity(unchecked)
  @usableFromInline
  nonisolated(unsafe) var storage: Value

  /// Makes a property.
  ///
  /// - Parameters:
  ///   - value: The initial value.
  ///   - label: The property's name in reports of `DeadlockDetection`; without the trait it costs nothing.
  ///   - file: The file in those reports.
  ///   - line: The line in those reports.
  @_alwaysEmitIntoClient
  public init(
    _ value: Value, label: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    lock = UnfairLock(Primitive(.atomicProperty, label, file, line))
    unsafe storage = value
  }

  /// Makes a property; the compiler calls this for `@AtomicProperty var`.
  ///
  /// - Parameters:
  ///   - wrappedValue: The initial value.
  ///   - label: The property's name in reports of `DeadlockDetection`; without the trait it costs nothing.
  ///   - file: The file in those reports.
  ///   - line: The line in those reports.
  @_alwaysEmitIntoClient
  public convenience init(
    wrappedValue: Value, label: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(wrappedValue, label: label, file: file, line: line)
  }

  // MARK: Access

  /// The value.
  ///
  /// Reading copies it. Assigning replaces it, and the old value is destroyed after the lock is released.
  /// Compound assignment, calling a mutating method and passing it `inout` hold the lock from before the
  /// value is read until after it is written back. Blocks while another thread accesses the property. Traps
  /// inside a modification of the same property. Don't pass it `inout` to an asynchronous function.
  ///
  /// - Complexity: O(1) to read and to assign, without contention.
  @_alwaysEmitIntoClient
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

  /// The value, for use as a property wrapper; see `value`.
  @_alwaysEmitIntoClient
  public var wrappedValue: Value {
    get { value }
    set { _ = exchange(newValue) }
    _modify { yield &value }
  }

  /// The `AtomicProperty` object itself, as `$name` of a wrapped property.
  @_alwaysEmitIntoClient
  public var projectedValue: AtomicProperty<Value> { self }

  /// Runs `body` with the value, to change it in place in one step.
  ///
  /// No copy is made: an array that is referenced only here keeps its storage. Blocks while another thread
  /// accesses the property. Traps inside a modification of the same property.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the value keeps the changes that `body` has made.
  @_alwaysEmitIntoClient
  public func update<R: ~Copyable, E: Error>(
    _ body: (inout Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    lock.beginAccess(for: .atomicProperty)
    return try lock.finishAccess(for: .atomicProperty) { () throws(E) in try unsafe body(&storage) }
  }

  /// Replaces the value.
  ///
  /// Blocks while another thread accesses the property. Traps inside a modification of the same property.
  ///
  /// - Parameter newValue: The new value.
  /// - Returns: The old value. The caller owns it, so it is destroyed after the lock is released.
  @_alwaysEmitIntoClient
  @discardableResult
  public func exchange(_ newValue: Value) -> Value {
    var value = newValue
    lock.beginAccess(for: .atomicProperty)
    return lock.finishAccess(for: .atomicProperty) {
      unsafe swap(&storage, &value)
      return value
    }
  }
}

extension AtomicProperty where Value: Equatable {
  /// Replaces the value by `desired` if it equals `expected`, in one step.
  ///
  /// The comparison is `==` of `Value` and runs under the lock: it must not use the property. Blocks while
  /// another thread accesses the property. Traps inside a modification of the same property.
  ///
  /// - Parameters:
  ///   - expected: The value that is to be replaced.
  ///   - desired: The new value.
  /// - Returns: Whether the value was replaced, and the old value.
  @_alwaysEmitIntoClient
  @discardableResult
  public func compareExchange(expected: Value, desired: Value) -> (exchanged: Bool, original: Value) {
    lock.beginAccess(for: .atomicProperty)
    return lock.finishAccess(for: .atomicProperty) {
      // This copy is returned, so the old value is destroyed only after the lock is released.
      let original = unsafe storage
      let isExpected = original == expected
      if isExpected { unsafe storage = desired }
      return (isExpected, original)
    }
  }
}

extension AtomicProperty: CustomReflectable {
  /// A mirror without children.
  ///
  /// Reflection does not acquire the lock, so it must not see the value. Never blocks.
  @_documentation(visibility: internal)
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PrimitiveKind {
  @_alwaysEmitIntoClient
  @_transparent
  package static var atomicProperty: PrimitiveKind {
    PrimitiveKind("AtomicProperty", .isLentToAsyncFunctions)
  }
}
