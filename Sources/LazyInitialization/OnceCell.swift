public import PlatformLocks

/// A place for a value that is set once: by `set(_:)`, or by the first thread that needs it.
///
/// ```swift
/// final class Connection: Sendable {
///   private let session = OnceCell<Session>()
///
///   func ping() throws(ConnectError) {
///     // The first caller connects; others wait for it. If it throws, one of them tries.
///     try session.withValue(orInitialize: { () throws(ConnectError) in try Session.open() }) { session throws(ConnectError) in
///       session.ping()
///     }
///   }
/// }
/// ```
///
/// The value may be noncopyable; it is lent to a closure and stays in the cell until the cell goes.
///
/// # The bug it prevents
/// An optional that is filled on first use is filled twice when two threads come first, and one of the two values, which
/// somebody may be using already, is thrown away.
///
/// ```swift
/// if session == nil { session = try Session.open() }     // two sessions, of which one is lost
/// session?.ping()
/// ```
///
/// # Errors with a type
/// Swift takes a closure that contains `try` to throw `any Error`. In a function with typed throws, pass the function itself, or
/// write the type into the closure:
///
/// ```swift
/// func open() throws(ConnectError) -> Session {
///   try cell.value(orInitialize: Session.open)
/// }
/// func openUnlessOffline() throws(ConnectError) -> Session {
///   try cell.value { () throws(ConnectError) in        // { try Session.open() } alone does not compile here
///     if isOffline { throw ConnectError() }
///     return try Session.open()
///   }
/// }
/// ```
///
/// - **Blocking**: reading never blocks. `set` and initialising wait while another thread initialises the cell: they
///   look again for a few microseconds, then sleep. In asynchronous code they block a thread of the cooperative pool, or the
///   actor's, for as long as the initialiser takes.
/// - **Errors**: an initialiser that throws leaves the cell empty and lets one waiting thread try.
/// - **Recursion**: an initialiser that sets or initialises its own cell traps.
/// - **Deadlocks it permits**: an initialiser that waits for another thread which initialises the same cell; two
///   initialisers that need each other's cell.
/// - **Size**: 16 bytes, and an allocation for the value once there is one, whose address never changes.
@safe
public struct OnceCell<Value: ~Copyable>: ~Copyable {
  // `@safe`: no address leaves the module's own code; what is behind it is lent for the length of a closure.

  // What decides, and what others wait for.
  @usableFromInline
  let core: OnceCore

  // Where the value is; nil until there is one. Stored with release by the runner before it finishes; read with acquire, or
  // after `core` was found complete. A value behind the address is whole and never changes or moves again.
  @usableFromInline
  let storage: AtomicPointer<Value>

  /// Makes an empty cell.
  @inlinable
  public init() {
    core = OnceCore()
    unsafe storage = AtomicPointer()
  }

  /// Makes a cell that holds `value`.
  ///
  /// - Parameter value: The value.
  @inlinable
  public init(_ value: consuming Value) {
    core = OnceCore(isComplete: true)
    unsafe storage = AtomicPointer(Self.allocate(value))
  }

  @inlinable
  deinit {
    // Nobody borrows the cell any more, so nobody borrows the value.
    guard let address = unsafe storage.load(.acquiring) else { return }
    unsafe address.deinitialize(count: 1)
    unsafe address.deallocate()
  }

  // MARK: Setting

  /// Whether the cell holds a value.
  ///
  /// Never blocks. An empty cell may be filled by another thread at any moment, a full one stays full.
  @inlinable
  public var isInitialized: Bool { unsafe address != nil }

  /// Puts `value` into the cell if it is empty.
  ///
  /// While another thread initialises the cell it waits for that to succeed or to fail. Called from an initialiser of
  /// the same cell it traps.
  ///
  /// - Parameter value: The value.
  /// - Returns: `nil` when the cell took the value; the value itself when the cell had one before.
  /// - Complexity: O(1), and one allocation.
  @inlinable
  public borrowing func set(_ value: consuming Value) -> Value? {
    if unsafe address != nil { return value }
    guard OnceCore.begin(core, .cellSet) else { return value }
    unsafe publish(Self.allocate(value))
    OnceCore.finish(core)
    return nil
  }

  // MARK: Access

  /// Runs `body` with the value, if there is one.
  ///
  /// It never blocks: a cell that another thread is initialising is empty.
  ///
  /// - Parameter body: What to do with the value.
  /// - Returns: What `body` returns; `nil` when the cell is empty and `body` was not run.
  /// - Throws: What `body` throws.
  /// - Complexity: One load, plus that of `body`.
  @inlinable
  public borrowing func withValue<R: ~Copyable, E: Error>(
    _ body: (borrowing Value) throws(E) -> R
  ) throws(E) -> R? {
    // The address is that of an initialised value, which stays in place for as long as the cell is borrowed.
    guard let address = unsafe address else { return nil }
    return try unsafe body(address.pointee)
  }

  /// Runs `body` with the value, which `make` makes first if the cell is empty.
  ///
  /// One initialiser runs at a time, and none once the cell has a value; while one runs, other callers wait for it.
  /// Called from an initialiser of the same cell it traps.
  ///
  /// - Parameters:
  ///   - make: Makes the value.
  ///   - body: What to do with the value.
  /// - Returns: What `body` returns.
  /// - Throws: What `make` throws, and then the cell is left empty; or what `body` throws.
  /// - Complexity: One load when there is a value, plus that of `body`.
  @inlinable
  public borrowing func withValue<R: ~Copyable, E: Error>(
    orInitialize make: () throws(E) -> Value, _ body: (borrowing Value) throws(E) -> R
  ) throws(E) -> R {
    let address = try unsafe addressInitializing(make)
    // As above.
    return try unsafe body(address.pointee)
  }

  // MARK: The value's place

  /// The value's address; `nil` while the cell is empty.
  @inlinable
  @inline(__always)
  var address: UnsafeMutablePointer<Value>? { unsafe storage.load(.acquiring) }

  /// The value's address in a cell that is known to be complete.
  ///
  /// That knowledge was acquired, and the runner stored the address before it let others have it: no more ordering is needed.
  @inlinable
  @inline(__always)
  var finalAddress: UnsafeMutablePointer<Value> {
    unsafe storage.load(.relaxed).unsafelyUnwrapped
  }

  /// The value's address, after `make` made it if need be.
  @inlinable
  @inline(__always)
  borrowing func addressInitializing<E: Error>(
    _ make: () throws(E) -> Value
  ) throws(E) -> UnsafeMutablePointer<Value> {
    if _slowPath(!core.isComplete) { return try unsafe Self.initializeOrWait(self, make) }
    return unsafe finalAddress
  }

  // Not inlinable and static, for the reasons that `Once` gives.
  @usableFromInline
  @inline(never)
  static func initializeOrWait<E: Error>(
    _ cell: borrowing OnceCell, _ make: () throws(E) -> Value
  ) throws(E) -> UnsafeMutablePointer<Value> {
    guard OnceCore.begin(cell.core, .cellInitialize) else {
      return unsafe cell.finalAddress
    }
    let value: Value
    do throws(E) {
      value = try make()
    } catch {
      OnceCore.abandon(cell.core)
      throw error
    }
    let address = unsafe allocate(value)
    unsafe cell.publish(address)
    OnceCore.finish(cell.core)
    return unsafe address
  }

  /// An allocation that holds `value`.
  @inlinable
  static func allocate(_ value: consuming Value) -> UnsafeMutablePointer<Value> {
    let address = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe address.initialize(to: value)
    return unsafe address
  }

  /// Makes the value visible to others; called by the runner alone.
  @inlinable
  borrowing func publish(_ address: UnsafeMutablePointer<Value>) {
    unsafe storage.store(address, .releasing)
  }
}

// Sound: the value is written once, by the one thread that `core` lets, before its address is released to others; from
// then on it is only lent for reading, which values that are `Sendable` permit from several threads at once.
extension OnceCell: @unchecked Sendable where Value: Sendable & ~Copyable {}

extension OnceCell {
  /// A copy of the value; `nil` while the cell is empty.
  ///
  /// Never blocks.
  @inlinable
  public var value: Value? {
    // An address in `storage` is that of an initialised value that stays for as long as the cell is borrowed.
    unsafe address.map { unsafe $0.pointee }
  }

  /// A copy of the value, which `make` makes first if the cell is empty.
  ///
  /// It blocks and traps as `withValue(orInitialize:_:)` does.
  ///
  /// - Parameter make: Makes the value.
  /// - Throws: What `make` throws, and then the cell is left empty.
  @inlinable
  public borrowing func value<E: Error>(orInitialize make: () throws(E) -> Value) throws(E) -> Value {
    try unsafe addressInitializing(make).pointee
  }
}
