internal import PlatformLocks

/// The life of an object that others call: set up, activated, invalidated, deallocated.
///
/// An object that is registered somewhere (with a subsystem, a timer, a notification centre) is called by threads that know
/// nothing of its end. It adopts the contract by holding a `Lifecycle`:
///
/// ```swift
/// final class BusyIndicator: TransformObserver, Sendable {
///   private let lifecycle = Lifecycle("BusyIndicator")
///
///   func activate() { lifecycle.activate { DataTransform.shared.register(self) } }
///   func invalidate() { lifecycle.invalidate { DataTransform.shared.unregister(self) } }
///
///   func transformStarted() { lifecycle.whileActive { show(.busy) } }     // dropped after invalidate() has returned
/// }
/// ```
///
/// # The bug it prevents
/// An object that unregisters in `deinit` never gets there when the registry holds it, and its last owner may be
/// the registry's own queue, which then waits for itself. And a flag that says "invalidated" is looked at too early:
///
/// ```swift
/// func transformStarted() {
///   guard !isInvalidated else { return }
///   …                                  // another thread invalidates, and frees what this uses
/// }
/// ```
///
/// `invalidate()` waits for the deliveries that run, drops those that come later, and `deinit` traps where it was forgotten.
///
/// # What happens when
/// - **Setup**: everything before `activate`. Deliveries see it. They are dropped until then.
/// - **Activating**: the object is active from the beginning of `activate`'s body, so that nothing is lost of what the body
///   registers for: deliveries may run, on other threads, before the body has ended. A body that throws makes the object
///   inactive again, once deliveries have ended; it can be activated again.
/// - **Invalidating**: from the beginning of `invalidate` new deliveries are dropped; it waits for those in flight and for a body of
///   `activate` that runs, then runs its own body. Also an object that was never activated can be invalidated, and
///   activating it later does nothing.
/// - **Inside**: a thread that is in a delivery, or in `activate`'s body, is inside. Its own calls don't wait for it:
///   `whileActive` nests; `activate` does nothing; the first `invalidate` waits for the deliveries of other threads only, so
///   that those of its own are still there when it returns, and a later `invalidate` waits for nothing. Threads that
///   invalidate, each inside its own delivery, do not wait for one another.
///
/// - **Executor**: none of its own. An object that has to be invalidated on a certain queue or actor says so in its own
///   `invalidate()`, by `@MainActor` or `dispatchPrecondition`; never invalidate from `deinit`.
/// - **Blocking**: deliveries never wait. `invalidate` and a second `activate` look again for a few microseconds, then sleep. In
///   asynchronous code write `await lifecycle.invalidate()`, which suspends the task instead; the other form does not compile
///   there. (The compiler does not see it in a closure or a local function that asynchronous code calls.)
/// - **Deadlocks it permits**: a delivery, or `activate`'s body, that waits in some other way for a thread which invalidates
///   or activates the object.
/// - **Misuse that traps**: releasing the last reference while active; deliveries to two objects (or more, in a circle) on two
///   threads, each of which invalidates the other object and so would wait for the other delivery. (A thread in more than
///   eight deliveries and read sections at once is not tracked for the ninth: there, that hangs.)
/// - **Memory**: an object; no allocation for a delivery, unless it is a thread's ninth at once, or threads in sections and deliveries have
///   taken all slots.
/// - **`fork`**: use it as little as a lock between `fork` and `exec`.
public final class Lifecycle: Sendable {
  @usableFromInline
  let core: LifecycleCore

  /// What messages about misuse name.
  public let label: StaticString

  /// Where an object is in its life.
  public enum State: Sendable {
    /// Not activated yet, or the activation has thrown.
    case inactive
    /// Activated, or being activated: deliveries run.
    case active
    /// Invalidated, for ever: deliveries are dropped.
    case invalidated
  }

  /// Makes the lifecycle of an object that is being set up.
  ///
  /// - Parameter label: What messages about misuse name: the object's type, say.
  public init(_ label: StaticString) {
    self.label = label
    core = LifecycleCore()
  }

  deinit {
    // Deliveries and the bodies hold a reference: none is running.
    if state == .active {
      misuse(
        "Lifecycle \"\(label)\"", "deallocated while active",
        "call invalidate() before releasing the last reference")
    }
  }

  /// Where the object is in its life.
  ///
  /// Another thread may change it at any moment, so it is for showing and checking; to do something only while the object is
  /// active, use `whileActive(_:)`. Never blocks.
  public var state: State {
    switch core.current.phase {
    case .inactive, .failing: .inactive
    case .activating, .active: .active
    case .invalidated: .invalidated
    }
  }

  // MARK: Activation

  /// Activates the object, unless that has been done, or the object has been invalidated.
  ///
  /// A caller that comes while the body of another runs waits until that has ended: if it has thrown, it runs its own.
  /// Inside it waits for nothing and does nothing.
  ///
  /// - Parameter body: Registers the object where it wants to be called. The object is active already: what it registers
  ///   for may be delivered before the body has ended.
  /// - Returns: Whether this call's body was run.
  /// - Throws: What `body` throws; the object is inactive then, unless it was invalidated meanwhile. Before it throws it
  ///   waits for deliveries in flight.
  @discardableResult
  public func activate<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Bool {
    guard let hold = core.beginActivation() else { return false }
    do throws(E) {
      try body()
    } catch {
      core.failActivation(hold, label: label)
      throw error
    }
    core.endActivation(hold)
    return true
  }

  /// Activates the object, unless that has been done, or the object has been invalidated.
  ///
  /// - Returns: Whether it was this call that did.
  @discardableResult
  public func activate() -> Bool {
    activate {}
  }

  // MARK: Deliveries

  /// Runs `body` if the object is active; `invalidate` waits for it.
  ///
  /// It never waits. Deliveries on several threads run at the same time; so may the body of `activate`. Inside a delivery
  /// of the same thread it runs `body` unless the object has been invalidated meanwhile.
  ///
  /// - Parameter body: The delivery. It must not wait for a thread that invalidates the object.
  /// - Returns: What `body` returns; `nil` when the object was not active and `body` was not run.
  /// - Throws: What `body` throws.
  /// - Complexity: O(1): one atomic compare-exchange, on a line that is the calling thread's own.
  @inlinable
  @inline(__always)
  @discardableResult
  public func whileActive<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    let (token, record) = core.enter()
    if token == .dropped { return nil }
    // Not `defer`: the compiler makes that a function of its own, and the fast path would call it.
    do throws(E) {
      let result = try body()
      core.leave(token, record)
      return result
    } catch {
      core.leave(token, record)
      throw error
    }
  }

  // MARK: Invalidation

  /// Invalidates the object: when it returns, no delivery is running or will run.
  ///
  /// It waits for deliveries in flight, and for the body of `activate` if that runs; so does every later caller, but
  /// only the first one's body runs. Inside it does not wait for the calling thread's own delivery, which then is still
  /// running when it returns (see `Lifecycle`).
  ///
  /// - Parameter body: Unregisters the object, and releases what only deliveries need. It runs after the last delivery has
  ///   ended.
  /// - Returns: Whether it was this call that invalidated the object and ran `body`.
  /// - Throws: What `body` throws; the object stays invalidated.
  /// - Complexity: O(*n*) in the number of processors.
  @available(*, noasync, message: "it blocks the thread; write 'await lifecycle.invalidate { … }'")
  @discardableResult
  public func invalidate<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Bool {
    guard core.invalidate(label: label) else { return false }
    try body()
    return true
  }

  /// Invalidates the object: when it returns, no delivery is running or will run.
  ///
  /// - Returns: Whether it was this call that did.
  @available(*, noasync, message: "it blocks the thread; write 'await lifecycle.invalidate()'")
  @discardableResult
  public func invalidate() -> Bool {
    invalidate {}
  }
}
