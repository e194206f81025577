public import InterlockCore

/// A value that is made once, when it is first needed, even if several threads need it at the same time.
///
/// ```swift
/// final class Document: Sendable {
///   let text: String
///   let index: Lazy<SearchIndex>
///
///   init(text: String) {
///     self.text = text
///     index = Lazy { SearchIndex(of: text) }
///   }
/// }
/// let document = Document(text: "…")
/// document.index.value.lookUp("lock")        // borrowed in place, not copied out
/// ```
///
/// As a property wrapper, where properties may be `var`:
///
/// ```swift
/// @Lazy var table = makeTable()              // runs when `table` is first read
/// ```
///
/// A property wrapper can't be `let`, so a `Sendable` class can use only the form with `let`.
///
/// # The bug it prevents
/// `lazy var` is not synchronized. If two threads first read it at the same time, both run the initializer.
/// Then one of them uses a value that no other thread has, or reads one that is half written. The compiler
/// reports this only with complete concurrency checking. A `static let` is safe, but all objects share its
/// one value.
///
/// ```swift
/// final class Document {
///   lazy var index = SearchIndex(of: text)   // two threads: two indexes, and a race on the storage
/// }
/// ```
///
/// # Errors, and self
/// The closure can't throw, nor use `self`, which does not exist yet when the property is set. For both, use
/// `OnceCell`, which takes the closure when the value is read:
///
/// ```swift
/// final class Archive: Sendable {
///   private let handle = OnceCell<Handle>()
///
///   func read() throws(OpenError) -> String {
///     try handle.value(orInitialize: open).read()
///   }
///   private func open() throws(OpenError) -> Handle { Handle() }
/// }
/// ```
///
/// - **Blocking**: while one thread makes the value, other threads that read it spin for a few microseconds,
///   then sleep. Later reads never block. In asynchronous code a read blocks a thread of the cooperative
///   pool, or the actor's, for as long as the closure takes.
/// - **Recursion**: a closure that reads its own value, on the same thread, traps.
/// - **Deadlocks it permits**: a closure that waits for another thread that reads the value; two closures
///   that need each other's value.
/// - **Memory**: an object, and an allocation for the value once it is made. The closure and its captures are
///   freed after it ran.
@propertyWrapper
public final class Lazy<Value: Sendable>: Sendable {
  @usableFromInline
  let cell: OnceCell<Value>

  // Sound: written by `init`, and afterwards accessed only by the one thread that `cell.core` lets run the
  // closure, and by `deinit`. For the same reason, the dynamic exclusivity check is not needed.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var make: (() -> Value)?

  /// Makes a lazy value.
  ///
  /// - Parameters:
  ///   - label: The value's name in the reports of `DeadlockDetection`; without the trait it costs nothing.
  ///   - file: The file in those reports.
  ///   - line: The line in those reports.
  ///   - make: Makes the value. It runs at most once, on the thread that first needs the value, and is freed
  ///     after it ran.
  @_alwaysEmitIntoClient
  public convenience init(
    label: StaticString = "", file: StaticString = #fileID, line: UInt = #line,
    _ make: sending @escaping () -> Value
  ) {
    self.init(Primitive(.lazy, label, file, line), make)
  }

  @usableFromInline
  init(_ primitive: Primitive, _ make: sending @escaping () -> Value) {
    cell = OnceCell(primitive)
    unsafe self.make = make
  }

  /// Makes a lazy value from an expression; the compiler calls this for `@Lazy var`.
  ///
  /// - Parameters:
  ///   - wrappedValue: The expression, which is evaluated at most once, on the thread that first needs the
  ///     value.
  ///   - label: The value's name in the reports of `DeadlockDetection`; without the trait it costs nothing.
  ///   - file: The file in those reports.
  ///   - line: The line in those reports.
  @_alwaysEmitIntoClient
  public convenience init(
    wrappedValue: @autoclosure @escaping @Sendable () -> Value,
    label: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(Primitive(.lazy, label, file, line), wrappedValue)
  }

  // MARK: Access

  /// The value, which is made at the first access.
  ///
  /// It is borrowed in place: nothing is copied or retained unless the caller keeps it. Blocks while another
  /// thread makes the value. Traps when the closure that makes the value reads it.
  ///
  /// - **Wait**: it ends with the value; cancellation has no effect; no timeout; all together; no priority is lent;
  ///   it throws nothing.
  ///
  /// - Complexity: One load when the value exists.
  @_alwaysEmitIntoClient
  public var value: Value {
    // Sound: the address is that of an initialized value, which stays in place for as long as this object
    // lives.
    @inline(__always) _read {
      yield unsafe address.pointee
      withExtendedLifetime(self) {}
    }
  }

  /// The value, for use as a property wrapper; see `value`.
  @_alwaysEmitIntoClient
  public var wrappedValue: Value {
    // Sound: the address is that of an initialized value, which stays in place for as long as this object
    // lives.
    @inline(__always) _read {
      yield unsafe address.pointee
      withExtendedLifetime(self) {}
    }
  }

  /// The `Lazy` object itself, as `$name` of a wrapped property.
  @_alwaysEmitIntoClient
  public var projectedValue: Lazy<Value> { self }

  /// A copy of the value; `nil` when it has not been made.
  ///
  /// It never blocks and never makes the value.
  @_alwaysEmitIntoClient
  public var valueIfComplete: Value? { cell.value }

  // MARK: The value's place

  @_alwaysEmitIntoClient
  @inline(__always)
  var address: UnsafeMutablePointer<Value> {
    cell.core.probe.didPass()
    if _slowPath(!cell.core.isComplete) { return unsafe makeOrWait(self) }
    return unsafe cell.finalAddress
  }

  /// Runs the closure, or waits until another thread has run it; returns the value's address.
  fileprivate func makeOrWaitForValue() -> UnsafeMutablePointer<Value> {
    guard OnceCore.begin(cell.core, .lazy, "value read from inside the closure that makes it") else {
      return unsafe cell.finalAddress
    }
    // Sound: this thread is the only one that runs the closure, so the closure is still there.
    let make = unsafe self.make.take().unsafelyUnwrapped
    let address = unsafe OnceCell.allocate(make())
    unsafe cell.publish(address)
    OnceCore.finish(cell.core)
    // Keeps the closure alive until here, because freeing its captures may run deinitializers of other code.
    // Threads that wait for the value have already been woken, so they don't wait for those.
    withExtendedLifetime(make) {}
    return unsafe address
  }
}

/// The slow path of `Lazy`.
///
/// It is a global function, because a method call would make its inlined caller save one more register on the
/// fast path.
@usableFromInline
@inline(never)
func makeOrWait<Value>(_ lazy: Lazy<Value>) -> UnsafeMutablePointer<Value> {
  unsafe lazy.makeOrWaitForValue()
}

extension Lazy: CustomReflectable {
  /// A mirror without children.
  ///
  /// Reflection does not wait for the initializer, so it must not see the value. Never blocks.
  @_documentation(visibility: internal)
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PrimitiveKind {
  @_alwaysEmitIntoClient
  @_transparent
  package static var lazy: PrimitiveKind { PrimitiveKind("Lazy", .isInitialization) }
}
