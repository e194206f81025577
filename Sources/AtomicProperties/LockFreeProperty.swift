public import InterlockCore
// A client's public property needs the protocol, and its calls the orderings.
@_exported public import protocol Synchronization.AtomicRepresentable
public import Synchronization

/// A property that is one atomic word: an integer, a Boolean, a floating-point number, or an enum whose raw
/// value is one of these.
///
/// ```swift
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
/// Swift's property wrappers can't be `let`, so a `Sendable` class can't use the wrapper. It can use the form
/// with `let`.
///
/// # The bug it prevents
/// With a setter, `connections += 1` would be a load and a store. What another thread added in between would
/// be lost:
///
/// ```swift
/// var wrappedValue: Int {
///   get { atomic.load(ordering: .relaxed) }
///   set { atomic.store(newValue, ordering: .relaxed) }
/// }
/// ```
///
/// So `value` can only be read, and `connections += 1` does not compile. Each change has an operation of its
/// own that is one atomic step. (No accessor could make `+=` atomic, because an accessor can't retry when
/// another thread was faster.)
///
/// # Memory orderings
/// The orderings are those of `Atomic`, and every call names its own: no function has a default. Only `value`, and a
/// wrapped property, load with `.acquiring`. `.relaxed` is enough for a plain counter. A flag that publishes other data needs `.releasing` to set and `.acquiring`
/// to read.
///
/// A lock of your own must unlock by a store or an update with `.releasing`, `.acquiringAndReleasing` or
/// `.sequentiallyConsistent`. With `.relaxed`, and with a plain store of `Synchronization.Atomic` of any
/// ordering, the compiler may retain an object that your section returns after the unlock, when another thread
/// may have freed it.
///
/// - **Blocking**: never.
/// - **Comparison**: by representation, bit by bit: `-0.0` differs from `0.0`, and a NaN equals itself.
/// - **Memory**: one object that holds a word of 8 bytes. Types of 16 bytes trap: use `AtomicProperty`.
/// - **Systems**: on Apple's systems it needs macOS 15 or the corresponding release, because the type of
///   the orderings does. `AtomicProperty` does not.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@propertyWrapper
@_fixed_layout  // With library evolution, the inlinable initializer needs it.
public final class LockFreeProperty<Value: AtomicRepresentable & Sendable>: Sendable {
  // The value's representation in the low bytes; the other bytes are zero.
  @usableFromInline
  let storage: AtomicWord

  /// Makes a property.
  ///
  /// Traps if `Value` takes more than 8 bytes.
  ///
  /// - Parameter value: The initial value.
  @_alwaysEmitIntoClient
  public init(_ value: Value) {
    storage = AtomicWord(Self.bits(value))
    storage.isOfProgram()
  }

  /// Makes a property; the compiler calls this for `@LockFreeProperty var`.
  ///
  /// Traps if `Value` takes more than 8 bytes.
  ///
  /// - Parameter wrappedValue: The initial value.
  @_alwaysEmitIntoClient
  public convenience init(wrappedValue: Value) {
    self.init(wrappedValue)
  }

  // MARK: Access

  /// The value, loaded with `.acquiring`.
  ///
  /// To change it, use a function such as `store(_:ordering:)` or `update(ordering:_:)`.
  @_alwaysEmitIntoClient
  public var value: Value {
    get { load(ordering: .acquiring) }
    @available(
      *, unavailable,
      message:
        "a store and an update name their ordering: store(_:ordering:), wrappingAdd(_:ordering:), update(ordering:_:)"
    )
    set { store(newValue, ordering: .releasing) }
  }

  /// The value, for use as a property wrapper; see `value`.
  @_alwaysEmitIntoClient
  public var wrappedValue: Value {
    get { load(ordering: .acquiring) }
    @available(
      *, unavailable,
      message:
        "a store and an update name their ordering, and are called on the projected value: $name.store(_:ordering:)"
    )
    set { store(newValue, ordering: .releasing) }
  }

  /// The `LockFreeProperty` object itself, as `$name` of a wrapped property.
  @_alwaysEmitIntoClient
  public var projectedValue: LockFreeProperty<Value> { self }

  /// Loads and returns the value.
  ///
  /// - Parameter ordering: The memory ordering of the load.
  @_alwaysEmitIntoClient
  @inline(__always)
  public func load(ordering: AtomicLoadOrdering) -> Value {
    Self.value(storage.load(MemoryOrdering(ordering)))
  }

  /// Stores `value`.
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - ordering: The memory ordering of the store.
  @_alwaysEmitIntoClient
  @inline(__always)
  public func store(_ value: Value, ordering: AtomicStoreOrdering) {
    storage.store(Self.bits(value), MemoryOrdering(ordering))
  }

  /// Replaces the value in one atomic step.
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - ordering: The memory ordering of the update.
  /// - Returns: The old value.
  @_alwaysEmitIntoClient
  @inline(__always)
  @discardableResult
  public func exchange(_ value: Value, ordering: AtomicUpdateOrdering) -> Value {
    Self.value(storage.exchange(Self.bits(value), MemoryOrdering(ordering)))
  }

  /// Replaces the value by `desired` if it is `expected`, in one atomic step.
  ///
  /// It fails only when the value differs.
  ///
  /// - Parameters:
  ///   - expected: The value that is to be replaced, compared bit by bit.
  ///   - desired: The new value.
  ///   - ordering: The memory ordering of the update. If the exchange fails, the load has only the acquiring
  ///     part of the ordering.
  /// - Returns: Whether the value was replaced, and the old value.
  @_alwaysEmitIntoClient
  @inline(__always)
  @discardableResult
  public func compareExchange(
    expected: Value, desired: Value, ordering: AtomicUpdateOrdering
  ) -> (exchanged: Bool, original: Value) {
    let result = storage.compareExchange(
      expected: Self.bits(expected), desired: Self.bits(desired), MemoryOrdering(ordering))
    return (result.exchanged, Self.value(result.original))
  }

  /// Changes the value in one atomic step, by a compare-exchange loop.
  ///
  /// - Parameters:
  ///   - ordering: The memory ordering of the update.
  ///   - body: Changes a copy of the value. It runs again when another thread was faster, so it should have
  ///     no other effect.
  /// - Returns: The result of the last call of `body`.
  /// - Throws: The error of `body`; the value then stays as it is.
  @_alwaysEmitIntoClient
  public func update<R: ~Copyable, E: Error>(
    ordering: AtomicUpdateOrdering, _ body: (inout Value) throws(E) -> sending R
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
  // The standard library has one type of atomic representation for each size, so `bits` and `value` switch
  // over the size. In specialised code the compiler removes the switches.

  @_alwaysEmitIntoClient
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

  @_alwaysEmitIntoClient
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

  /// Returns `representation` as a value of type `To`, which must be its actual type.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func cast<From: BitwiseCopyable, To: BitwiseCopyable>(_ representation: From) -> To {
    // Sound: the callers have compared the sizes, and each size has one type. Types of different sizes would
    // trap.
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
// Conversions of the standard library's memory orderings. They are inlined, so the compiler removes the
// `switch` if the ordering is a constant.

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension MemoryOrdering {
  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ ordering: AtomicLoadOrdering) {
    switch ordering {
    case .relaxed: self = .relaxed
    case .acquiring: self = .acquiring
    default: self = .sequentiallyConsistent
    }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ ordering: AtomicStoreOrdering) {
    switch ordering {
    case .relaxed: self = .relaxed
    case .releasing: self = .releasing
    default: self = .sequentiallyConsistent
    }
  }

  @_alwaysEmitIntoClient
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
