public import InterlockCore

/// A cell for a value that is set once: by `set(_:)`, or by the first thread or task that needs it.
///
/// ```swift
/// final class Connection: Sendable {
///   private let session = OnceCell<Session>()
///
///   func ping() throws(ConnectError) {
///     // The first caller connects; others wait for it. If it throws, one of them tries.
///     try session.withValue(orInitialize: { () throws(ConnectError) in try Session.open() }) {
///       session throws(ConnectError) in session.ping()
///     }
///   }
/// }
/// ```
///
/// The value may be noncopyable. It is borrowed by a closure, and stays in the cell until the cell is
/// destroyed.
///
/// # The bug it prevents
/// Two threads that both find an optional empty both fill it. One of the two values is discarded, although it
/// may be in use already.
///
/// ```swift
/// if session == nil { session = try Session.open() }     // two sessions, of which one is lost
/// session?.ping()
/// ```
///
/// # Errors with a type
/// Swift infers `any Error` for a closure that contains `try`. In a function with typed throws, pass the
/// function itself, or write the type into the closure:
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
/// # Tasks
/// An asynchronous initializer may `await`. Tasks that need the value meanwhile are suspended:
///
/// ```swift
/// func image(_ cell: borrowing OnceCell<Image>) async throws -> Image {
///   try await cell.value(orInitialize: { try await download() })
/// }
/// ```
///
/// In asynchronous code, `value(orInitialize:)` always means this form, even if the initializer does not await.
///
/// - **Blocking**: reading never blocks. While a thread or task initializes the cell, other threads that set or
///   initialize it spin for a few microseconds, then sleep. In asynchronous code `set(_:)` and
///   `withValue(orInitialize:_:)` block a thread of the cooperative pool, or the actor's, for as long as the
///   initializer takes.
/// - **Errors**: an initializer that throws leaves the cell empty. Then the task that has waited for longest
///   runs its own initializer, before tasks that come later. A thread doesn't wait for a task that the system
///   has yet to run: it may run its own initializer first, and the task is next.
/// - **Recursion**: an initializer that sets or initializes its own cell traps, on its thread or in its task.
/// - **Deadlocks it permits**: an initializer that waits for another thread or task, such as a child task,
///   which initializes the same cell; two initializers that need each other's cell; blocking calls on all
///   threads of the cooperative pool while an asynchronous initializer needs one of them.
/// - **Size**: 16 bytes, and an allocation for the value once there is one. The value's address never
///   changes.
@safe
@frozen
public struct OnceCell<Value: ~Copyable>: ~Copyable {
  // `@safe`: the value's address does not leave this module's code. Other code gets the value only inside a
  // closure.

  // Decides which thread or task initializes the cell, and makes the others wait.
  @usableFromInline
  let core: OnceCore

  // The value's address; nil while the cell is empty. The thread or task that initializes the cell stores it
  // with release before it finishes. Other threads read it with acquire, or after they found `core` complete.
  // The value at the address is initialized, and never changes or moves again.
  @usableFromInline
  let storage: AtomicPointer<Value>

  /// Makes an empty cell.
  ///
  /// - Parameters:
  ///   - label: The cell's name in the reports of `DeadlockDetection`; without the trait it costs nothing.
  ///   - file: The file in those reports.
  ///   - line: The line in those reports.
  @_alwaysEmitIntoClient
  public init(label: StaticString = "", file: StaticString = #fileID, line: UInt = #line) {
    self.init(Primitive(.onceCell, label, file, line))
  }

  /// Makes an empty cell whose traps and reports name `primitive`, for example a `Lazy` that contains the
  /// cell.
  @_alwaysEmitIntoClient
  init(_ primitive: Primitive) {
    core = OnceCore(primitive)
    unsafe storage = AtomicPointer()
  }

  /// Makes a cell that holds `value`.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - label: The cell's name in the reports of `DeadlockDetection`; without the trait it costs nothing.
  ///   - file: The file in those reports.
  ///   - line: The line in those reports.
  @_alwaysEmitIntoClient
  public init(
    _ value: consuming Value, label: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    core = OnceCore(isComplete: true, Primitive(.onceCell, label, file, line))
    unsafe storage = AtomicPointer(Self.allocate(value))
  }

  @_alwaysEmitIntoClient
  deinit {
    // Sound: no thread borrows the cell any more, so none borrows the value.
    guard let address = unsafe storage.load(.acquiring) else { return }
    unsafe address.deinitialize(count: 1)
    unsafe address.deallocate()
  }

  // MARK: Setting

  /// Whether the cell holds a value.
  ///
  /// Never blocks. Another thread may fill an empty cell at any moment. A full cell stays full.
  @_alwaysEmitIntoClient
  public var isComplete: Bool { unsafe address != nil }

  /// Puts `value` into the cell if it is empty.
  ///
  /// Blocks while another thread initializes the cell. Traps inside an initializer of the same cell.
  ///
  /// - Parameter value: The value, which the cell owns until it is destroyed.
  /// - Returns: `nil` if the value was put into the cell; the value itself if the cell was already full.
  /// - Complexity: O(1), and one allocation.
  @_alwaysEmitIntoClient
  @discardableResult
  public borrowing func set(_ value: consuming Value) -> Value? {
    if unsafe address != nil { return value }
    guard OnceCore.begin(core, .onceCell, "set called from inside its own initializer") else { return value }
    unsafe publish(Self.allocate(value))
    OnceCore.finish(core)
    return nil
  }

  // MARK: Access

  /// Runs `body` with the value, if there is one.
  ///
  /// It never blocks: a cell that another thread is initializing counts as empty.
  ///
  /// - Parameter body: Reads the value.
  /// - Returns: The result of `body`; `nil` when the cell is empty and `body` was not run.
  /// - Throws: The error of `body`.
  /// - Complexity: One load, plus the cost of `body`.
  @_alwaysEmitIntoClient
  public borrowing func withValue<R: ~Copyable, E: Error>(
    _ body: (borrowing Value) throws(E) -> R
  ) throws(E) -> R? {
    // Sound: the address is that of an initialized value, which stays in place for as long as the cell is
    // borrowed. The optimizer does not see that the cell owns the value: it would let the cell's owner end after
    // the load of the address, if that was the last use of the last reference.
    defer { withExtendedLifetime(self) {} }
    guard let address = unsafe address else { return nil }
    return try unsafe body(address.pointee)
  }

  /// Runs `body` with the value.
  ///
  /// If the cell is empty, `make` makes the value first.
  ///
  /// One initializer runs at a time, and none once the cell has a value. Blocks while another thread
  /// initializes the cell. Traps inside an initializer of the same cell.
  ///
  /// - **Wait**: it ends with the value; cancellation has no effect; no timeout; after a throw, one waiter
  ///   initializes the cell; no priority is lent; a throw of `make` leaves the cell empty.
  ///
  /// - Parameters:
  ///   - make: Makes the value.
  ///   - body: Reads the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `make`, and then the cell stays empty; or the error of `body`.
  /// - Complexity: One load when there is a value, plus the cost of `body`.
  @_alwaysEmitIntoClient
  public borrowing func withValue<R: ~Copyable, E: Error>(
    orInitialize make: () throws(E) -> Value, _ body: (borrowing Value) throws(E) -> R
  ) throws(E) -> R {
    defer { withExtendedLifetime(self) {} }
    let address = try unsafe addressInitializing(make)
    // Sound: the address is that of an initialized value, which stays in place for as long as the cell is
    // borrowed.
    return try unsafe body(address.pointee)
  }

  // MARK: The value's place

  /// The value's address; `nil` while the cell is empty.
  @_alwaysEmitIntoClient
  @inline(__always)
  var address: UnsafeMutablePointer<Value>? { unsafe storage.load(.acquiring) }

  /// The value's address in a cell that is known to be complete.
  ///
  /// The caller must have found `core` complete, with acquire ordering. A relaxed load then suffices, because
  /// the address was stored before `core` became complete.
  @_alwaysEmitIntoClient
  @inline(__always)
  var finalAddress: UnsafeMutablePointer<Value> {
    unsafe storage.load(.relaxed).unsafelyUnwrapped
  }

  /// The value's address; if the cell is empty, `make` makes the value first.
  ///
  /// Blocks while another thread initializes the cell. If `make` throws, the cell stays empty.
  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func addressInitializing<E: Error>(
    _ make: () throws(E) -> Value
  ) throws(E) -> UnsafeMutablePointer<Value> {
    core.probe.didPass()
    if _slowPath(!core.isComplete) { return try unsafe Self.initializeOrWait(self, make) }
    return unsafe finalAddress
  }

  // Not inlinable: a caller that could specialise this function would retain the closure's captures even when
  // the cell is full. Static, because a method call would make its inlined caller save one more register on
  // the fast path.
  @usableFromInline
  @inline(never)
  static func initializeOrWait<E: Error>(
    _ cell: borrowing OnceCell, _ make: () throws(E) -> Value
  ) throws(E) -> UnsafeMutablePointer<Value> {
    guard OnceCore.begin(cell.core, .onceCell, "initialized from inside its own initializer") else {
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

  /// Allocates memory and moves `value` into it; returns the address of the memory.
  @_alwaysEmitIntoClient
  static func allocate(_ value: consuming Value) -> UnsafeMutablePointer<Value> {
    let address = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe address.initialize(to: value)
    return unsafe address
  }

  /// Makes the value at `address` visible to other threads.
  ///
  /// Only the initializing thread may call this, once.
  @_alwaysEmitIntoClient
  borrowing func publish(_ address: UnsafeMutablePointer<Value>) {
    unsafe storage.store(address, .releasing)
  }
}

// Sound: `core` lets one thread write the value, once, before its address is released to other threads. From
// then on it is only read, which several threads may do at the same time if the value is `Sendable`.
extension OnceCell: @unchecked Sendable where Value: Sendable & ~Copyable {}

extension OnceCell {
  /// A copy of the value; `nil` while the cell is empty.
  ///
  /// Never blocks.
  @_alwaysEmitIntoClient
  public var value: Value? {
    // Sound: an address in `storage` is that of an initialized value that stays in place for as long as the
    // cell is borrowed.
    defer { withExtendedLifetime(self) {} }
    return unsafe address.map { unsafe $0.pointee }
  }

  /// A copy of the value.
  ///
  /// If the cell is empty, `make` makes the value first.
  ///
  /// It blocks and traps as `withValue(orInitialize:_:)` does.
  ///
  /// - Parameter make: Makes the value.
  /// - Throws: The error of `make`, and then the cell stays empty.
  @available(
    *, noasync,
    message:
      "it may block the thread; write 'await cell.value { … }'; at the top level of main.swift, put that into an async function"
  )
  @_disfavoredOverload  // Otherwise the compiler chooses it in asynchronous code, if `make` does not await.
  @_alwaysEmitIntoClient
  public borrowing func value<E: Error>(orInitialize make: () throws(E) -> Value) throws(E) -> Value {
    defer { withExtendedLifetime(self) {} }
    return try unsafe addressInitializing(make).pointee
  }

  // MARK: Tasks

  /// A copy of the value.
  ///
  /// If the cell is empty, `make` makes the value first.
  ///
  /// One initializer runs at a time, and none once the cell has a value. Suspends the task while another task
  /// or thread initializes the cell. If that initializer throws, a waiting task or thread runs its own. Traps
  /// inside an initializer of the same cell. Does not suspend if the cell has a value.
  ///
  /// A task that is already cancelled takes the value, or initializes an empty cell. It throws only where it would
  /// wait, and so does a task that is cancelled while it waits.
  ///
  /// - **Wait**: it ends with the value; a task that is cancelled before or while it waits throws; no timeout;
  ///   after a throw, one waiter initializes the cell; a task that does gets the waiting task's priority; a throw
  ///   leaves the cell empty.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - make: Makes the value, in the caller's isolation.
  /// - Throws: The error of `make`, and then the cell stays empty; `CancellationError` instead of running `make`, if
  ///   the task was cancelled while it waited.
  /// - Complexity: One load when there is a value.
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func value(
    isolation: isolated (any Actor)? = #isolation,
    orInitialize make: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    defer { withExtendedLifetime(self) {} }
    core.probe.didPass()
    if _slowPath(!core.isComplete) { return try await Self.initializeOrWait(self, make) }
    return unsafe finalAddress.pointee
  }

  @usableFromInline
  @inline(never)
  static func initializeOrWait(
    _ cell: borrowing OnceCell, isolation: isolated (any Actor)? = #isolation,
    _ make: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    let isRunner = try await OnceCore.beginTask(
      cell.core, .onceCell, "initialized from inside its own initializer")
    if !isRunner { return unsafe cell.finalAddress.pointee }
    let value: Value
    keepExecutor()
    do {
      value = try await make()
    } catch {
      OnceCore.abandonTask(cell.core)
      throw error
    }
    unsafe cell.publish(allocate(value))
    OnceCore.finishTask(cell.core)
    return value
  }
}

extension PrimitiveKind {
  @_alwaysEmitIntoClient
  @_transparent
  package static var onceCell: PrimitiveKind { PrimitiveKind("OnceCell", .isInitialization) }
}
