/// A value that is made when it is first needed, once, however many threads need it first.
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
/// document.index.value.lookUp("lock")        // borrowed from where it is, not copied out
/// ```
///
/// As a property wrapper, where properties may be `var`:
///
/// ```swift
/// @Lazy var table = makeTable()              // runs when `table` is first read
/// ```
///
/// Swift's property wrappers can't be `let`, so the wrapper form can't stand in a `Sendable` class; the form above can.
///
/// # The bug it prevents
/// `lazy var` is not synchronised: two threads that come first both run the initialiser, and one of them goes on with a
/// value that nobody else has, or reads one that is half written. The compiler finds it only where it checks for
/// concurrency.
///
/// ```swift
/// final class Document {
///   lazy var index = SearchIndex(of: text)   // two threads: two indexes, and a race on the storage
/// }
/// ```
///
/// A static `let` is safe, but can't be one per object.
///
/// # Errors, and self
/// The closure can't throw, and it can't use `self`, which does not exist yet when the property is set. For both there is
/// `OnceCell`, which is given the closure when the value is read:
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
/// - **Blocking**: a thread that comes while the value is being made waits for it: it looks again for a few
///   microseconds, then sleeps. After that reading never blocks. In asynchronous code it blocks a thread of the cooperative
///   pool, or the actor's, for as long as the closure takes.
/// - **Recursion**: a closure that reads its own value, on the same thread, traps.
/// - **Deadlocks it permits**: a closure that waits for another thread which reads the value; two closures that need each
///   other's value.
/// - **Memory**: an object, and an allocation for the value once it is made. The closure, with all that it captured, is freed
///   after it ran.
@propertyWrapper
public final class Lazy<Value: Sendable>: Sendable {
  @usableFromInline
  let cell: OnceCell<Value>

  // Sound: written by `init`; afterwards touched only by the one thread that `cell.core` lets run the closure, and by
  // `deinit`. That also is why its exclusivity need not be checked.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var make: (() -> Value)?

  /// Makes a value that does not exist yet.
  ///
  /// - Parameter make: Makes the value. It runs at most once, on the thread that first needs the value, and is freed
  ///   after it ran.
  public init(_ make: sending @escaping () -> Value) {
    cell = OnceCell()
    unsafe self.make = make
  }

  /// Makes a value that does not exist yet, from an expression; the compiler calls this for `@Lazy var`.
  ///
  /// - Parameter wrappedValue: The expression. It is evaluated at most once, on the thread that first needs the value.
  public init(wrappedValue: @autoclosure @escaping @Sendable () -> Value) {
    cell = OnceCell()
    unsafe make = wrappedValue
  }

  // MARK: Access

  /// The value, which is made first if need be.
  ///
  /// It is lent from where it is: nothing is copied or retained unless the caller keeps it. It blocks while another thread
  /// makes the value, and traps when read by the closure that makes it.
  ///
  /// - Complexity: One load when the value exists.
  @inlinable
  public var value: Value {
    // The address is that of an initialised value, which lives and stays in place for as long as this object.
    @inline(__always) _read { yield unsafe address.pointee }
  }

  /// The value; see `value`.
  @inlinable
  public var wrappedValue: Value {
    // As above.
    @inline(__always) _read { yield unsafe address.pointee }
  }

  /// The object itself, `$name` of a wrapped property.
  @inlinable
  public var projectedValue: Lazy<Value> { self }

  /// A copy of the value; `nil` when it has not been made.
  ///
  /// It never blocks and never makes the value.
  @inlinable
  public var valueIfInitialized: Value? { cell.value }

  // MARK: The value's place

  @inlinable
  @inline(__always)
  var address: UnsafeMutablePointer<Value> {
    if _slowPath(!cell.core.isComplete) { return unsafe makeOrWait(self) }
    return unsafe cell.finalAddress
  }

  /// Runs the closure, or waits until it has run.
  fileprivate func makeOrWaitForValue() -> UnsafeMutablePointer<Value> {
    guard OnceCore.begin(cell.core, .lazyValue) else {
      return unsafe cell.finalAddress
    }
    // This thread is the runner, and the first: nobody has taken the closure.
    let make = unsafe self.make.take().unsafelyUnwrapped
    let address = unsafe OnceCell.allocate(make())
    unsafe cell.publish(address)
    OnceCore.finish(cell.core)
    // What the closure captured is freed here, when nobody waits any more: its deinits are code of others.
    withExtendedLifetime(make) {}
    return unsafe address
  }
}

/// The slow path of `Lazy`.
///
/// A function and no method: calling a method takes a register that the caller has to save before it looks.
@usableFromInline
@inline(never)
func makeOrWait<Value>(_ lazy: Lazy<Value>) -> UnsafeMutablePointer<Value> {
  unsafe lazy.makeOrWaitForValue()
}
