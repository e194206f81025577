public import InterlockCore

/// The life of an object that other code calls: set up, activated, invalidated, deallocated.
///
/// A *delivery* is such a call. An object that is registered somewhere (with a subsystem, a timer, a
/// notification center) gets deliveries from threads that do not know when its life ends. It holds a
/// `Lifecycle`:
///
/// ```swift
/// final class BusyIndicator: TransformObserver, Sendable {
///   private let lifecycle = Lifecycle(label: "BusyIndicator")
///
///   func activate() { lifecycle.activate { DataTransform.shared.register(self) } }
///   func invalidate() { lifecycle.invalidate { DataTransform.shared.unregister(self) } }
///
///   func transformStarted() { lifecycle.whileActive { show(.busy) } }     // dropped after invalidate()
/// }
/// ```
///
/// # The bug it prevents
/// An object that unregisters in `deinit` is never deallocated if the registry holds it. The last release of
/// an object may happen on the registry's own queue. Then `deinit` runs on that queue, and unregistering
/// deadlocks if it waits for the queue. A flag for "invalidated" is checked too early:
///
/// ```swift
/// func transformStarted() {
///   guard !isInvalidated else { return }
///   …                                  // another thread invalidates, and frees what this uses
/// }
/// ```
///
/// `invalidate()` waits for running deliveries and drops later ones. `deinit` traps if `invalidate()` was
/// forgotten.
///
/// # Stages
/// - **Setup**: everything before `activate`. Deliveries are dropped. Later deliveries see what the setup has
///   done.
/// - **Activating**: the object is active from the beginning of `activate`'s body. So no delivery is lost
///   after the body has registered the object: deliveries may run on other threads before the body has ended.
///   If the body throws, the object becomes inactive again after running deliveries have ended, and can be
///   activated again.
/// - **Invalidating**: from the beginning of `invalidate` new deliveries are dropped. `invalidate` waits for
///   running deliveries and for a running body of `activate`, then runs its own body. An object that was
///   never activated can be invalidated too. Activating it later has no effect.
/// - **Inside**: a thread is *inside* while it runs a delivery or `activate`'s body. It never waits for its
///   own delivery or body. Inside, `whileActive` may be nested, and `activate` has no effect. The first
///   `invalidate` of the object, if it is called inside, waits only for deliveries on other threads. So the
///   caller's own delivery still runs when `invalidate` returns. A later `invalidate` that is called inside
///   returns immediately. So several threads may invalidate one object inside their deliveries without a
///   deadlock.
/// - **Executor**: none of its own. An object that needs a certain queue or actor states it in its own
///   `invalidate()`, by `@MainActor` or `dispatchPrecondition`. Never invalidate from `deinit`.
/// - **Blocking**: deliveries never wait. `invalidate` spins for a few microseconds, then sleeps, and a second
///   `activate` sleeps. In asynchronous code write `await lifecycle.invalidate()`, which suspends the task instead.
///   The blocking function does not compile there. (The compiler misses a call in a closure, or in a local
///   function, that asynchronous code calls. At the top level of `main.swift`, put the asynchronous call into
///   an asynchronous function.)
/// - **Deadlocks it permits**: a delivery, or `activate`'s body, that waits for a thread that is activating
///   or invalidating the object, for example by a semaphore.
/// - **Misuse that traps**: releasing the last reference while the object is active. Two deliveries on two
///   threads that invalidate each other's objects: they would wait for each other. The same holds for a
///   longer cycle.
/// - **Memory**: one object. A delivery allocates nothing.
/// - **`fork`**: as with a lock, don't use it between `fork` and `exec`.
public final class Lifecycle: Sendable {
  @usableFromInline
  let core: LifecycleCore

  /// The name of the object in messages about misuse.
  package let label: StaticString

  /// The stage of an object.
  public enum State: Sendable {
    /// Not activated yet, or the body of `activate` has thrown.
    case inactive
    /// Activated, or being activated: bodies of `whileActive` run.
    case active
    /// Invalidated, forever: bodies of `whileActive` are not run any more.
    case invalidated
  }

  /// Makes the lifecycle of an object that is being set up.
  ///
  /// - Parameters:
  ///   - label: The name of the object in messages about misuse, for example its type; empty by default.
  ///   - file: The file that reports of `DeadlockDetection` name; without the trait it costs nothing.
  ///   - line: The line in those reports.
  @_alwaysEmitIntoClient
  public convenience init(
    label: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(label: label, Primitive(.lifecycle, label, file, line))
  }

  @usableFromInline
  init(label: StaticString, _ primitive: Primitive) {
    self.label = label
    core = LifecycleCore(primitive)
  }

  deinit {
    // No body of `whileActive`, `activate` or `invalidate` is running, because its caller would hold a
    // reference. But the object may still be registered somewhere if it was not invalidated.
    if state == .active {
      misuse(
        Self.name(label), "deallocated while active",
        "call invalidate() before releasing the last reference")
    }
  }

  /// The name, in traps, of a lifecycle with this label.
  static func name(_ label: StaticString) -> String {
    label.utf8CodeUnitCount == 0 ? "Lifecycle" : "Lifecycle \"\(label)\""
  }

  /// The current stage of the object: inactive, active or invalidated.
  ///
  /// Another thread may change it at any moment, so use it only to display or to check. To do work only while
  /// the object is active, use `whileActive(_:)`. Never blocks.
  public var state: State {
    switch core.current.phase {
    case .inactive, .failing: .inactive
    case .activating, .active: .active
    case .invalidated: .invalidated
    }
  }

  // MARK: Activation

  /// Activates the object, unless it was activated or invalidated before.
  ///
  /// Blocks while another caller's body runs. If that body throws, this caller runs its own. Inside a
  /// delivery (a body of `whileActive`) or a body of `activate`, it returns immediately and has no effect.
  ///
  /// - **Wait**: it ends with the other body; cancellation has no effect; no timeout; all together, or one of them
  ///   after a throw; no priority is lent; a throw leaves the object inactive.
  ///
  /// - Parameter body: Registers the object with its callers. The object is already active, so deliveries may
  ///   run before the body has ended.
  /// - Returns: Whether this call's body was run.
  /// - Throws: The error of `body`, after running deliveries have ended. Then the object is inactive, unless
  ///   it was invalidated meanwhile.
  @discardableResult
  public func activate<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Bool {
    let mayWait = Probe.isOn && !core.isCallingThreadInside
    if mayWait { core.activation.willAcquire() }
    guard core.beginActivation() else {
      if mayWait { core.activation.didStopWaiting() }
      return false
    }
    core.activation.didAcquire()
    let delivery = Delivery(to: core.key, .counted)
    delivery.begin()
    core.probe.didAcquireUnannounced(.read)
    do throws(E) {
      try body()
    } catch {
      delivery.end()
      core.failActivation(label: label)
      throw error
    }
    delivery.end()
    core.endActivation()
    return true
  }

  /// Activates the object, unless it was activated or invalidated before.
  ///
  /// Blocks while another caller's activation runs. Inside a delivery (a body of `whileActive`) or a body
  /// of `activate`, it returns immediately and has no effect.
  ///
  /// - Returns: Whether this call activated the object.
  @discardableResult
  public func activate() -> Bool {
    activate {}
  }

  // MARK: Deliveries

  /// Runs `body`, a delivery, if the object is active.
  ///
  /// `invalidate` waits for the end of `body`.
  ///
  /// This function never waits. Deliveries on several threads run at the same time, and possibly together
  /// with the body of `activate`. Calls may be nested on one thread. A nested call runs `body` too, unless
  /// the object has been invalidated since the outer call began, or its activation has failed.
  ///
  /// - Parameter body: The delivery. It must not wait for a thread that invalidates the object.
  /// - Returns: The result of `body`; `nil` when the object was not active and `body` was not run.
  /// - Throws: The error of `body`.
  /// - Complexity: O(1): an atomic exchange on a cache line of the thread's own. A delivery writes a word of this
  ///   object only where the thread's slot and the next one are taken, by deliveries around it or of other threads.
  @_alwaysEmitIntoClient
  @inline(__always)
  @discardableResult
  public func whileActive<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard let announcement = core.beginDelivery() else { return nil }
    let delivery = Delivery(to: core.key, announcement)
    delivery.begin()
    core.probe.didAcquireUnannounced(.read)
    return try runSection(body) {
      delivery.end()
      core.endDelivery(announcement)
    }
  }

  // MARK: Invalidation

  /// Invalidates the object: when this call returns, no delivery (a body of `whileActive`) is running or will
  /// run, except a delivery that makes this call itself.
  ///
  /// Blocks until running deliveries and a running body of `activate` have ended. Only the first caller's
  /// body runs; later callers wait as well. If the first call is made inside a delivery, it waits for the
  /// deliveries on other threads, and runs `body` while its own delivery still runs. A later call inside a
  /// delivery returns immediately.
  ///
  /// - **Wait**: it ends with the last delivery; cancellation has no effect; no timeout; all together; no priority
  ///   is lent; a throw leaves the object invalidated.
  ///
  /// - Parameter body: Unregisters the object, and releases what only deliveries need. It runs after all
  ///   deliveries have ended, except a delivery that makes this call.
  /// - Returns: Whether this call invalidated the object and ran `body`.
  /// - Throws: The error of `body`; the object stays invalidated.
  /// - Complexity: O(*p*) for *p* processors, and again for each delivery that ends.
  @available(
    *, noasync,
    message:
      "it blocks the thread; write 'await lifecycle.invalidate { … }'; at the top level of main.swift, put that into an async function"
  )
  @discardableResult
  public func invalidate<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Bool {
    guard core.invalidate(label: label) else { return false }
    try body()
    return true
  }

  /// Invalidates the object: when this call returns, no delivery (a body of `whileActive`) is running or
  /// will run, except a delivery that makes this call itself.
  ///
  /// Blocks until running deliveries have ended. A call inside a delivery does not wait for its own
  /// delivery.
  ///
  /// - Returns: Whether this call invalidated the object.
  @available(
    *, noasync,
    message:
      "it blocks the thread; write 'await lifecycle.invalidate()'; at the top level of main.swift, put that into an async function"
  )
  @discardableResult
  public func invalidate() -> Bool {
    invalidate {}
  }
}

extension PrimitiveKind {
  @_alwaysEmitIntoClient
  @_transparent
  package static var lifecycle: PrimitiveKind { PrimitiveKind("Lifecycle", .isCompletion | .sharesReads) }

  /// The body that a program passes to `Lifecycle.activate`.
  @_alwaysEmitIntoClient
  @_transparent
  package static var activation: PrimitiveKind { PrimitiveKind("activation of Lifecycle", .isCompletion) }
}
