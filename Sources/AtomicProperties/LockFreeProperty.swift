public import PlatformLocks
public import Synchronization

/// A property that is one atomic word: integers, Booleans, floating-point numbers, and enums over these.
///
/// ```swift
/// import Synchronization                                 // the memory orderings
///
/// final class Server: Sendable {
///   let connections = LockFreeProperty(0)
///   let isStopping = LockFreeProperty(false)
/// }
/// let server = Server()
/// server.connections.wrappingAdd(1, ordering: .relaxed)
/// if server.isStopping.value { … }
/// ```
///
/// As a property wrapper, where properties may be `var`:
///
/// ```swift
/// @LockFreeProperty var connections = 0
/// $connections.wrappingAdd(1, ordering: .relaxed)      // `$connections` is the object itself
/// ```
///
/// Swift's property wrappers can't be `let`, so the wrapper form can't stand in a `Sendable` class; the form with `let` can.
///
/// # The bug it prevents
/// With a setter, `connections += 1` would be a load and a store, and what another thread added in between would be lost:
///
/// ```swift
/// var wrappedValue: Int {
///   get { atomic.load(ordering: .relaxed) }
///   set { atomic.store(newValue, ordering: .relaxed) }
/// }
/// ```
///
/// Hence `value` can only be read. There is an operation for each change that is one step; `connections += 1` does not
/// compile. (An accessor can't try again when another thread was faster, so there is none that could make it one step.)
///
/// # Memory orderings
/// They are those of `Atomic`, to be written at the call; that takes `import Synchronization`. `value` loads with `.acquiring`. `.relaxed` is enough for counters
/// that are only counted; a flag that tells others of something takes `.releasing` to set and `.acquiring` to look.
///
/// - **Blocking**: never.
/// - **Comparison**: by representation, bit by bit: `-0.0` is not `0.0`, and a NaN may be found.
/// - **Memory**: one object that holds a word of 8 bytes. Types of 16 bytes trap: use `AtomicProperty`.
@propertyWrapper
public final class LockFreeProperty<Value: AtomicRepresentable & Sendable>: Sendable {
  // The value's representation in the low bytes, zeros above.
  @usableFromInline
  let storage: AtomicWord

  /// Makes a property.
  ///
  /// - Parameter value: Its first value; one whose type takes more than 8 bytes traps.
  @inlinable
  public init(_ value: Value) {
    storage = AtomicWord(Self.bits(value))
  }

  /// Makes a property; the compiler calls this for `@LockFreeProperty var`.
  ///
  /// - Parameter wrappedValue: Its first value; one whose type takes more than 8 bytes traps.
  @inlinable
  public convenience init(wrappedValue: Value) {
    self.init(wrappedValue)
  }

  // MARK: Access

  /// The value, loaded with `.acquiring`; to change it there is an operation for each change.
  @inlinable
  public var value: Value { load(ordering: .acquiring) }

  /// The value; see `value`.
  @inlinable
  public var wrappedValue: Value { load(ordering: .acquiring) }

  /// The object itself, `$name` of a wrapped property.
  @inlinable
  public var projectedValue: LockFreeProperty<Value> { self }

  /// Loads the value.
  ///
  /// - Parameter ordering: How it is ordered with what comes after.
  @inlinable
  @inline(__always)
  public func load(ordering: AtomicLoadOrdering) -> Value {
    Self.value(storage.load(MemoryOrdering(ordering)))
  }

  /// Stores `value`, whatever was there before.
  ///
  /// - Parameters:
  ///   - value: What to put in.
  ///   - ordering: How it is ordered with what came before.
  @inlinable
  @inline(__always)
  public func store(_ value: Value, ordering: AtomicStoreOrdering) {
    storage.store(Self.bits(value), MemoryOrdering(ordering))
  }

  /// Replaces the value in one step.
  ///
  /// - Parameters:
  ///   - value: What to put in.
  ///   - ordering: How it is ordered with what came before and comes after.
  /// - Returns: What was there.
  @inlinable
  @inline(__always)
  @discardableResult
  public func exchange(_ value: Value, ordering: AtomicUpdateOrdering = .acquiringAndReleasing) -> Value {
    Self.value(storage.exchange(Self.bits(value), MemoryOrdering(ordering)))
  }

  /// Replaces the value by `desired` if it is `expected`, in one step.
  ///
  /// It fails only when the value differs.
  ///
  /// - Parameters:
  ///   - expected: What the value has to be, bit by bit.
  ///   - desired: What to put in.
  ///   - ordering: How it is ordered with what came before and comes after; where it fails, what this has of acquiring.
  /// - Returns: Whether it was replaced, and what was there before.
  @inlinable
  @inline(__always)
  @discardableResult
  public func compareExchange(
    expected: Value, desired: Value, ordering: AtomicUpdateOrdering = .acquiringAndReleasing
  ) -> (exchanged: Bool, original: Value) {
    let result = storage.compareExchange(
      expected: Self.bits(expected), desired: Self.bits(desired), MemoryOrdering(ordering))
    return (result.exchanged, Self.value(result.original))
  }

  /// Changes the value in one step, by trying until no other thread came between.
  ///
  /// - Parameters:
  ///   - ordering: How it is ordered with what came before and comes after.
  ///   - body: Changes a copy of the value. It runs again when another thread was faster, so it should do nothing else.
  /// - Returns: What `body` returned the last time.
  /// - Throws: What `body` throws; the value then stays as it is.
  @inlinable
  public func modify<R: ~Copyable, E: Error>(
    ordering: AtomicUpdateOrdering = .acquiringAndReleasing, _ body: (inout Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    var current = storage.load(.acquiring)
    while true {
      var value = Self.value(current)
      let result = try body(&value)
      let attempt = storage.compareExchange(
        expected: current, desired: Self.bits(value), MemoryOrdering(ordering))
      if attempt.exchanged { return result }
      current = attempt.original
    }
  }

  // MARK: Representation
  // For each width there is one type of representation, fixed by the standard library. The compiler decides the switches.

  @inlinable
  @inline(__always)
  static func bits(_ value: Value) -> UInt64 {
    let representation = Value.encodeAtomicRepresentation(value)
    return switch MemoryLayout<Value.AtomicRepresentation>.size {
    case 1: UInt64(UInt8.decodeAtomicRepresentation(cast(representation)))
    case 2: UInt64(UInt16.decodeAtomicRepresentation(cast(representation)))
    case 4: UInt64(UInt32.decodeAtomicRepresentation(cast(representation)))
    case 8: UInt64.decodeAtomicRepresentation(cast(representation))
    default: trapTooLarge()
    }
  }

  @inlinable
  @inline(__always)
  static func value(_ bits: UInt64) -> Value {
    let representation: Value.AtomicRepresentation =
      switch MemoryLayout<Value.AtomicRepresentation>.size {
      case 1: cast(UInt8.encodeAtomicRepresentation(UInt8(truncatingIfNeeded: bits)))
      case 2: cast(UInt16.encodeAtomicRepresentation(UInt16(truncatingIfNeeded: bits)))
      case 4: cast(UInt32.encodeAtomicRepresentation(UInt32(truncatingIfNeeded: bits)))
      case 8: cast(UInt64.encodeAtomicRepresentation(bits))
      default: trapTooLarge()
      }
    return Value.decodeAtomicRepresentation(representation)
  }

  /// A representation as what it is.
  @inlinable
  @inline(__always)
  static func cast<From: BitwiseCopyable, To: BitwiseCopyable>(_ representation: From) -> To {
    // Of the same width, as the callers have found, hence the same type; a mismatch would trap.
    unsafe unsafeBitCast(representation, to: To.self)
  }

  // MARK: Traps

  @usableFromInline
  @inline(never)
  static func trapTooLarge() -> Never {
    misuse(
      "LockFreeProperty", "made for \(Value.self), which takes more than 8 bytes", "use AtomicProperty")
  }
}

// MARK: - Orderings
// Inlined, with an ordering that is written at the call: the compiler decides the switches.

extension MemoryOrdering {
  @inlinable
  @inline(__always)
  init(_ ordering: AtomicLoadOrdering) {
    switch ordering {
    case .relaxed: self = .relaxed
    case .acquiring: self = .acquiring
    default: self = .sequentiallyConsistent
    }
  }

  @inlinable
  @inline(__always)
  init(_ ordering: AtomicStoreOrdering) {
    switch ordering {
    case .relaxed: self = .relaxed
    case .releasing: self = .releasing
    default: self = .sequentiallyConsistent
    }
  }

  @inlinable
  @inline(__always)
  init(_ ordering: AtomicUpdateOrdering) {
    switch ordering {
    case .relaxed: self = .relaxed
    case .acquiring: self = .acquiring
    case .releasing: self = .releasing
    case .acquiringAndReleasing: self = .acquiringAndReleasing
    default: self = .sequentiallyConsistent
    }
  }
}
