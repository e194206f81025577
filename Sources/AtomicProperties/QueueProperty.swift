public import InterlockCore
public import InterlockWaits
public import Dispatch
public import UnfairLocks

/// A property that belongs to a serial dispatch queue: every access is a work item of that queue.
///
/// ```swift
/// final class Session: Sendable {
///   private let queue = DispatchQueue(label: "session")
///   let messages: QueueProperty<[String]>
///
///   init() { messages = QueueProperty([], on: queue) }
///
///   func received(_ message: String) {
///     messages.value.append(message)                   // one step, in the queue's order; traps on the queue
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
/// Swift's property wrappers can't be `let`, so a `Sendable` class can't use the wrapper. It can use the form
/// with `let`.
///
/// Use it for values whose changes must be in order with other work of a queue. If you only need to exclude
/// other threads, use `AtomicProperty`, which is several times faster.
///
/// # The bug it prevents
/// With `sync` in the getter and the setter, `+=` is two work items, and an increment between them is lost. A
/// getter that is called on the queue itself waits for its own end:
///
/// ```swift
/// var messages: [String] {
///   get { queue.sync { storage } }                     // on `queue`: hangs, or crashes without a message
///   set { queue.sync { storage = newValue } }          // messages += [m]: get, append to a copy, set
/// }
/// ```
///
/// Here compound assignment stops the queue from before the value is read until after it is written back. A
/// call on the queue traps with a message.
///
/// - **Order**: accesses are ordered with the queue's other work: first in, first out.
/// - **Blocking**: each access blocks until the work before it has finished.
/// - **Recursion**: an access on the queue itself traps. An access inside a modification of the same property
///   traps too. The calling thread may also occupy the queue further up the stack, with a `sync` to another
///   queue in between. Then libdispatch detects the deadlock, and traps without a message.
/// - **Asynchronous code**: don't write `await f(&property.value)` with an asynchronous `f`, although it
///   compiles. The queue is stopped until `f` returns, and other threads that access the property block until
///   then. The access traps if the task resumes on another thread. It also traps if another task accesses the
///   property on the thread where the first task was suspended. Await before or after the access.
/// - **Deadlocks it permits**: a modification that waits for other work of the queue; two queues that wait
///   for each other.
/// - **Queues**: use a serial queue. On a concurrent queue accesses are barriers. The main queue can't be
///   stopped. There a compound assignment is still one step to every other access of the property, but other
///   work of the queue may run meanwhile; use `update(_:)`. Don't use a global queue: all code that runs on
///   its threads, including any task, counts as being on the queue.
/// - **Memory**: an object, and a queue unless one is given.
@propertyWrapper
public final class QueueProperty<Value: Sendable>: Sendable {
  private let queue: DispatchQueue
  private let inside = DispatchSpecificKey<Presence>()

  // A serial queue already excludes other accesses, so this lock is usually free. Each access holds the lock
  // for three reasons. The lock traps if a modification accesses the same property again on the same thread.
  // It excludes other accesses if the queue is not serial or can't be stopped. And ThreadSanitizer sees how
  // the lock orders memory, but not how libdispatch does.
  @usableFromInline
  let lock: UnfairLock

  // Sound: accessed only while `lock` is held, or by `init` and `deinit`. The dynamic exclusivity check would
  // repeat at run time what the lock already ensures.
  @exclusivity(unchecked)
  @usableFromInline
  nonisolated(unsafe) var storage: Value

  /// A marker for the queue's specific data: its presence means that the calling code is on the queue.
  private struct Presence: Sendable {}

  private let queueProbe: SharedProbe

  /// Makes a property.
  ///
  /// - Parameters:
  ///   - value: The initial value.
  ///   - queue: A serial queue, to whose work the accesses belong; `nil` makes one for the property.
  ///   - label: The property's name in reports of `DeadlockDetection`; without the trait it costs nothing.
  ///   - file: The file in those reports.
  ///   - line: The line in those reports.
  @_alwaysEmitIntoClient
  public convenience init(
    _ value: Value, on queue: DispatchQueue? = nil, label: StaticString = "", file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(
      value, on: queue ?? DispatchQueue(label: "Interlock.QueueProperty"),
      Primitive(.queueProperty, label, file, line))
  }

  /// Makes a property; the compiler calls this for `@QueueProperty var` and `@QueueProperty(on:) var`.
  ///
  /// - Parameters:
  ///   - wrappedValue: The initial value.
  ///   - queue: A serial queue, to whose work the accesses belong; `nil` makes one for the property.
  ///   - label: The property's name in reports of `DeadlockDetection`; without the trait it costs nothing.
  ///   - file: The file in those reports.
  ///   - line: The line in those reports.
  @_alwaysEmitIntoClient
  public convenience init(
    wrappedValue: Value, on queue: DispatchQueue? = nil, label: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(wrappedValue, on: queue, label: label, file: file, line: line)
  }

  @usableFromInline
  init(_ value: Value, on queue: DispatchQueue, _ primitive: Primitive) {
    self.queue = queue
    lock = UnfairLock(primitive)
    queueProbe = queue.probe(primitive.part(.queueOfProperty))
    unsafe storage = value
    queue.setSpecific(key: inside, value: Presence())
  }

  deinit {
    queue.setSpecific(key: inside, value: nil)
  }

  // MARK: Access

  /// The value.
  ///
  /// Reading copies it. Assigning replaces it, and the old value is destroyed outside the queue. Compound
  /// assignment, calling a mutating method and passing it `inout` stop the queue from before the value is
  /// read until after it is written back. Blocks until earlier work of the queue has finished. Traps when
  /// called on the queue or inside a modification of the same property. Don't pass it `inout` to an
  /// asynchronous function.
  @_alwaysEmitIntoClient
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

  /// The value, for use as a property wrapper; see `value`.
  @_alwaysEmitIntoClient
  public var wrappedValue: Value {
    get { value }
    set { _ = exchange(newValue) }
    _modify { yield &value }
  }

  /// The `QueueProperty` object itself, as `$name` of a wrapped property.
  @_alwaysEmitIntoClient
  public var projectedValue: QueueProperty<Value> { self }

  /// Runs `body` on the queue with the value, to change it in place in one step.
  ///
  /// No copy is made: an array that is referenced only here keeps its storage. Blocks until earlier work of
  /// the queue has finished. Traps on the queue and inside a modification of the same property.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the value keeps the changes that `body` has made.
  @_alwaysEmitIntoClient
  public func update<R: ~Copyable, E: Error>(
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
  /// Blocks until earlier work of the queue has finished. Traps on the queue and inside a modification of the
  /// same property.
  ///
  /// - Parameter newValue: The new value.
  /// - Returns: The old value. The caller owns it, so it is destroyed outside the queue.
  @_alwaysEmitIntoClient
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
      primitive, "used off the queue '\(queue.label)' where it must be on it",
      "enter the queue first, with sync or async")
  }

  // MARK: The queue

  private var primitive: Primitive { lock.probe.primitive(.queueProperty) }

  private var isOnQueue: Bool { DispatchQueue.getSpecific(key: inside) != nil }

  /// Traps if an access by the calling thread would deadlock, because the thread would wait for itself.
  private func checkMayWait() {
    if isOnQueue {
      misuse(
        primitive, "used on its own queue '\(queue.label)', which would wait for itself",
        "call from another queue, or use the value that update(_:) passes in")
    }
    if lock.isHeldByCurrentThread {
      misuse(
        primitive,
        "used inside its own modification, on the same thread, which may be that of a task suspended at an await",
        "use the value that is being modified, and await before or after the modification")
    }
  }

  /// Runs `body` as a work item of the queue, while no other work item runs.
  ///
  /// The work item is a barrier, which matters only on a concurrent queue. Traps if the calling thread would
  /// wait for itself.
  @usableFromInline
  func onQueue(_ body: () -> Void) {
    checkMayWait()
    let wait = queueProbe.probe.willSubmit(.write)
    queue.sync(flags: .barrier) { access(wait, body) }
    queueProbe.probe.didStopWaiting()
  }

  private func access(_ wait: QueueWait, _ body: () -> Void) {
    let outer = queueProbe.probe.didBegin(wait, .write)
    lock.beginAccess(for: .queueProperty)
    body()
    lock.endAccess(for: .queueProperty)
    queueProbe.probe.willEnd(wait, in: outer)
  }

  /// Waits for the queue's earlier work and then stops the queue: no work item runs until `resumeQueue`.
  ///
  /// A barrier work item suspends the queue. While the barrier runs, no other work item runs. After the
  /// barrier, the suspended queue begins no work item. The main queue can't be suspended, so other work items
  /// still run there.
  @usableFromInline
  func stopQueue() {
    checkMayWait()
    queueProbe.probe.willAcquire()
    let wait = QueueWait()
    queue.sync(flags: .barrier) { queue.suspend() }
    wait.end()
    queueProbe.probe.didAcquire()
  }

  @usableFromInline
  func resumeQueue() {
    queueProbe.probe.willRelease()
    queue.resume()
  }
}

extension QueueProperty where Value: Equatable {
  /// Replaces the value by `desired` if it equals `expected`, in one step.
  ///
  /// The comparison is `==` of `Value` and runs on the queue: it must not use the property. Blocks until
  /// earlier work of the queue has finished. Traps on the queue and inside a modification of the same
  /// property.
  ///
  /// - Parameters:
  ///   - expected: The value that is to be replaced.
  ///   - desired: The new value.
  /// - Returns: Whether the value was replaced, and the old value.
  @_alwaysEmitIntoClient
  @discardableResult
  public func compareExchange(expected: Value, desired: Value) -> (exchanged: Bool, original: Value) {
    // The result keeps the old value alive, so that it is destroyed outside the queue.
    update { value in
      let original = value
      let isExpected = original == expected
      if isExpected { value = desired }
      return (isExpected, original)
    }
  }
}

extension QueueProperty: CustomReflectable {
  /// A mirror without children.
  ///
  /// Reflection is not on the queue, so it must not see the value. Never blocks.
  @_documentation(visibility: internal)
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PrimitiveKind {
  @_alwaysEmitIntoClient
  @_transparent
  package static var queueProperty: PrimitiveKind { PrimitiveKind("QueueProperty", .isLentToAsyncFunctions) }

  @_alwaysEmitIntoClient
  @_transparent
  package static var queueOfProperty: PrimitiveKind {
    PrimitiveKind("queue of QueueProperty", .isRegion | .waitsForItself)
  }
}
