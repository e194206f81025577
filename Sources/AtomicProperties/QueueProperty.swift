public import Dispatch
public import PlatformLocks
public import UnfairLocks

/// A property that belongs to a serial dispatch queue: every access is a piece of work of that queue.
///
/// ```swift
/// final class Session: Sendable {
///   private let queue = DispatchQueue(label: "session")
///   let messages: QueueProperty<[String]>
///
///   init() { messages = QueueProperty([], on: queue) }
///
///   func received(_ message: String) {
///     messages.preconditionNotOnQueue()                // says so, instead of hanging
///     messages.value.append(message)                   // one step, in the queue's order
///   }
/// }
/// ```
///
/// As a property wrapper, where properties may be `var`:
///
/// ```swift
/// @QueueProperty var messages: [String] = []           // with a queue of its own
/// @QueueProperty(on: queue) var names: [String] = []
/// ```
///
/// Swift's property wrappers can't be `let`, so the wrapper form can't stand in a `Sendable` class; the form with `let` can.
///
/// It is for values whose changes must be in order with other work of a queue. To keep threads apart is the task of
/// `AtomicProperty`, which is several times faster.
///
/// # The bug it prevents
/// With `sync` in the getter and the setter, `+=` is two pieces of work, and an increment that falls between them is lost;
/// and a getter that is called on the queue itself waits for its own end:
///
/// ```swift
/// var messages: [String] {
///   get { queue.sync { storage } }                     // on `queue`: hangs, or dies without a word
///   set { queue.sync { storage = newValue } }          // messages += [m]: get, append to a copy, set
/// }
/// ```
///
/// Here compound assignment stops the queue from before the value is read until after it is written back, and a call on
/// the queue traps with a sentence.
///
/// - **Order**: an access takes its turn among the queue's work: first in, first out.
/// - **Blocking**: each access waits for the work before it.
/// - **Recursion**: an access on the queue itself traps, and so does one inside a modification of the same property.
///   A queue that the calling thread occupies further up, with a `sync` to another queue in between, is found by
///   libdispatch, which traps without a sentence.
/// - **Asynchronous code**: `await f(&property.value)` compiles where `f` is asynchronous, and is a mistake: the queue stands
///   still until `f` returns. It traps when the task resumes on another thread, or when another task wants the property on the
///   thread that the suspended one had. Until then other threads wait. Await before or after the access.
/// - **Deadlocks it permits**: a modification that waits for other work of the queue; two queues that wait for each other.
/// - **Queues**: a serial one. On a concurrent queue accesses are barriers. The main queue can't be stopped: there a compound
///   assignment is still one step to every other access of the property, but other work of the queue may run meanwhile;
///   use `modify(_:)`. The global queues are of no use: code on their threads, any task among it, is on its own queue.
/// - **Memory**: an object, and a queue unless one is given.
@propertyWrapper
public final class QueueProperty<Value: Sendable>: Sendable {
  private let queue: DispatchQueue
  private let inside = DispatchSpecificKey<Presence>()

  // Held by every access, in its turn of the queue, where nobody else wants it. It covers what the queue leaves open: it tells
  // a modification's own thread, keeps accesses apart on a queue that is not serial or can't be stopped, and orders memory in
  // a way that ThreadSanitizer sees, which does not see libdispatch's.
  @usableFromInline
  let lock: UnfairLock

  // Sound: only touched while `lock` is held, or by `init` and `deinit`; the dynamic check would repeat at run time what
  // the lock already ensures.
  @exclusivity(unchecked)
  @usableFromInline
  nonisolated(unsafe) var storage: Value

  /// What the queue knows of the property: nothing; its presence is the answer.
  private struct Presence: Sendable {}

  /// Makes a property that belongs to `queue`.
  ///
  /// - Parameters:
  ///   - value: Its first value.
  ///   - queue: A serial queue.
  public init(_ value: Value, on queue: DispatchQueue) {
    self.queue = queue
    lock = UnfairLock()
    unsafe storage = value
    queue.setSpecific(key: inside, value: Presence())
  }

  /// Makes a property with a queue of its own.
  ///
  /// - Parameter value: Its first value.
  public convenience init(_ value: Value) {
    self.init(value, on: DispatchQueue(label: "Interlock.QueueProperty"))
  }

  /// Makes a property with a queue of its own; the compiler calls this for `@QueueProperty var`.
  ///
  /// - Parameter wrappedValue: Its first value.
  public convenience init(wrappedValue: Value) {
    self.init(wrappedValue)
  }

  /// Makes a property that belongs to `queue`; the compiler calls this for `@QueueProperty(on:) var`.
  ///
  /// - Parameters:
  ///   - wrappedValue: Its first value.
  ///   - queue: A serial queue.
  public convenience init(wrappedValue: Value, on queue: DispatchQueue) {
    self.init(wrappedValue, on: queue)
  }

  deinit {
    queue.setSpecific(key: inside, value: nil)
  }

  // MARK: Access

  /// The value.
  ///
  /// Reading copies it. Assigning replaces it, and what it held before is released outside the queue. Compound assignment,
  /// calling a mutating method and passing it `inout` stop the queue from before the value is read until after it is
  /// written back. Traps on the queue, and inside a modification of the same property. Don't pass it `inout` to an
  /// asynchronous function.
  @inlinable
  public var value: Value {
    get {
      var copy: Value?
      onQueue { copy = unsafe storage }
      return copy!
    }
    set {
      _ = exchange(newValue)
    }
    _modify {
      stopQueue()
      defer { resumeQueue() }
      lock.beginAccess(for: .queueProperty)
      defer { lock.endAccess(for: .queueProperty) }
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
  public var projectedValue: QueueProperty<Value> { self }

  /// Runs `body` on the queue with the value, to change it in place in one step.
  ///
  /// Nothing is copied: an array that nobody else holds keeps its storage. It waits for the queue, and traps on the queue and
  /// inside a modification of the same property.
  ///
  /// - Parameter body: What to do with the value.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  public func modify<R: ~Copyable, E: Error>(
    _ body: (inout Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    var outcome = Outcome<R, E>()
    onQueue {
      do throws(E) {
        outcome.put(.success(try unsafe body(&storage)))
      } catch {
        outcome.put(.failure(error))
      }
    }
    return try outcome.take()
  }

  /// Replaces the value.
  ///
  /// It waits for the queue, and traps on the queue and inside a modification of the same property.
  ///
  /// - Parameter newValue: What to put in.
  /// - Returns: What was there. It is released by the caller, outside the queue.
  @inlinable
  @discardableResult
  public func exchange(_ newValue: Value) -> Value {
    var value = newValue
    onQueue { unsafe swap(&storage, &value) }
    return value
  }

  // MARK: Where the caller is

  /// Traps, in every build, unless it is called on the queue.
  public func preconditionOnQueue() {
    if isOnQueue { return }
    misuse(
      "QueueProperty", "used off the queue '\(queue.label)' where it must be on it",
      "enter the queue first, with sync or async")
  }

  /// Traps, in every build, if it is called on the queue.
  public func preconditionNotOnQueue() {
    if !isOnQueue { return }
    misuse(
      "QueueProperty", "used on the queue '\(queue.label)' where it must not be on it",
      "leave the queue first, with async to another one")
  }

  // MARK: The queue

  private var isOnQueue: Bool { DispatchQueue.getSpecific(key: inside) != nil }

  /// Traps where waiting for the queue would be waiting for oneself.
  private func checkMayWait() {
    if isOnQueue {
      misuse(
        "QueueProperty", "used on its own queue '\(queue.label)', which would wait for itself",
        "call from another queue, or use the value that modify(_:) passes in")
    }
    if lock.isHeldByCurrentThread {
      misuse(
        "QueueProperty",
        "used inside its own modification, on the same thread, which may be that of a task suspended at an await",
        "use the value that is being modified, and await before or after the modification")
    }
  }

  /// Runs `body` as a piece of the queue's work, alone.
  ///
  /// A barrier, which on a serial queue every piece of work is.
  @usableFromInline
  func onQueue(_ body: () -> Void) {
    checkMayWait()
    queue.sync(flags: .barrier) {
      lock.beginAccess(for: .queueProperty)
      defer { lock.endAccess(for: .queueProperty) }
      body()
    }
  }

  /// Waits for the queue's turn, and stops it: nothing else runs until `resumeQueue`.
  ///
  /// A suspension takes effect when the piece of work that runs has ended, which here is the one that suspends.
  @usableFromInline
  func stopQueue() {
    checkMayWait()
    queue.sync(flags: .barrier) { queue.suspend() }
  }

  @usableFromInline
  func resumeQueue() {
    queue.resume()
  }
}

extension QueueProperty where Value: Equatable {
  /// Replaces the value by `desired` if it equals `expected`, in one step.
  ///
  /// The comparison is that of `Value` and runs on the queue: it must not use the property. It waits for the queue, and
  /// traps on the queue and inside a modification of the same property.
  ///
  /// - Parameters:
  ///   - expected: What the value has to be.
  ///   - desired: What to put in.
  /// - Returns: Whether it was replaced, and what was there before.
  @inlinable
  @discardableResult
  public func compareExchange(expected: Value, desired: Value) -> (exchanged: Bool, original: Value) {
    // The original is handed out, so that it is released outside the queue.
    modify { value in
      let original = value
      let isExpected = original == expected
      if isExpected { value = desired }
      return (isExpected, original)
    }
  }
}
