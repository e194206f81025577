public import Lifecycles
internal import Dispatch

/// A dispatch source that follows the stages of a `Lifecycle`: set up, activated, invalidated, deallocated.
///
/// ```swift
/// let activation = ActivatedSource.reading(descriptor, on: queue, label: "connection") { event in
///   connection.read(upTo: event.byteCount)
/// }
/// …
/// activation.invalidate()                          // no event any more; the descriptor is closed on `queue`
/// ```
///
/// Such a call makes and activates a source that has nothing but a handler of events. A `Setup` has its other parts:
///
/// ```swift
/// var setup = Setup<ActivatedSource<ReadEvent>>(.reading(descriptor, on: queue, label: "connection"))
/// setup.configuration.onEvent = { event in connection.read(upTo: event.byteCount) }
/// setup.configuration.onCancel = { connection.close() }
/// let activation = setup.activate()                // from here on the handlers can't be changed
/// …
/// activation.invalidate()
/// ```
///
/// There are sources for timers, reads, writes, signals and user data. Each has its own type of event, so
/// `add(_:)` on a timer does not compile.
///
/// # The bug it prevents
/// A `DispatchSource` has rules that no compiler checks. Handlers that are set after its activation race
/// with events. A source still watches its descriptor when `cancel()` returns, so the number of a
/// descriptor that is closed too early may be reused while it is still watched. A descriptor stays open if
/// the cancel handler is missing. Handlers that capture the source's owner keep it alive forever. Releasing
/// a source that is suspended, or was never activated, crashes the process without a message.
///
/// # Stages
/// - **Setup**: handlers are set in the configuration, and nowhere else.
/// - **Active**: `onEvent` runs on the queue, one call at a time, even on a concurrent queue. Everything that
///   happens between two calls is reported as one event.
/// - **Invalidating**: `invalidate()` drops pending events, and waits for a handler that runs on another
///   thread. A call on the source's own serial queue has no handler to wait for. A handler that calls
///   `invalidate()` still runs to its end. No event handler begins after `invalidate()` has returned.
/// - **Cancelled**: after the invalidation, `onCancel` runs once, on the queue. Then the descriptor is closed
///   if the source owns it. Then all handlers are released with their captures, so owners that they captured
///   can be deallocated. All this also happens in a source that was never activated.
///
/// - **Blocking**: `invalidate()` as above; in asynchronous code it suspends the task instead. No other
///   function blocks.
/// - **Deadlocks it permits**: a handler that waits for a thread which invalidates the source.
/// - **Misuse that traps**: releasing the last reference before the source is invalidated; resuming the
///   source more often than it was suspended; closing a descriptor that the source owns.
/// - **Memory**: a few objects, and a dispatch source from activation to cancellation.
public final class ActivatedSource<Event: SourceEvent>: Activatable {
  let core: SourceCore<Event>

  /// Makes a source that is being set up.
  ///
  /// - Parameter configuration: The kind, the queue and the handlers of the source.
  public init(_ configuration: Configuration) {
    core = SourceCore(configuration)
  }

  deinit {
    switch core.lifecycle.state {
    case .inactive:
      core.trap("deallocated before it was activated", "call invalidate() also if it isn't wanted any more")
    case .active where core.isSuspended:
      core.trap("deallocated while suspended", "call invalidate() before releasing the last reference")
    case .active:
      core.trap("deallocated while active", "call invalidate() before releasing the last reference")
    case .invalidated: break
    }
  }

  package var state: Lifecycle.State { core.lifecycle.state }

  /// Starts the events.
  ///
  /// Only the first call has an effect. A call after `invalidate()` has none.
  public func activate() {
    core.activate()
  }

  /// Stops the events and schedules the cancel handler.
  ///
  /// Only the first call has an effect.
  ///
  /// The call blocks while an event handler runs on another thread. When it returns, no event handler is
  /// running or will run, except a handler that makes this call, which still runs to its end. The cancel
  /// handler runs later, on the source's queue, even if the source is suspended.
  ///
  /// - **Wait**: it ends with the handler; cancellation has no effect; no timeout; all together; no priority is
  ///   lent; it throws nothing.
  @available(
    *, noasync,
    message:
      "it blocks the thread; write 'await source.invalidate()'; at the top level of main.swift, put that into an async function"
  )
  public func invalidate() {
    core.invalidate()
  }

  /// Stops the events and schedules the cancel handler, without blocking a thread.
  ///
  /// Only the first call has an effect.
  ///
  /// While a handler runs, the calling task is suspended. In all other respects this function acts as the
  /// blocking `invalidate()`.
  ///
  /// - **Wait**: it ends with the handler; a cancelled task waits on; no timeout; all together; no priority is
  ///   lent; it throws nothing.
  ///
  /// - Parameter isolation: The caller's isolation.
  public func invalidate(isolation: isolated (any Actor)? = #isolation) async {
    await core.invalidateWithoutBlocking()
  }

  // MARK: Suspending

  /// Stops reporting events until `resume()` has been called as often as `suspend()`.
  ///
  /// Whatever happens while the source is suspended is reported as one event after the resumption.
  ///
  /// An event whose handler is about to run on another thread may still be reported. A source that is
  /// suspended before its activation reports no event until `resume()`. After invalidation, the call has no
  /// effect.
  public func suspend() {
    core.suspend()
  }

  /// Ends one suspension that `suspend()` has begun.
  ///
  /// Traps if the source is not suspended. Invalidation ends all suspensions, so a call after it has no
  /// effect.
  public func resume() {
    core.resume()
  }
}

// MARK: User data

extension ActivatedSource where Event == AddedData {
  /// Adds a number to the sum that the next event reports.
  ///
  /// - Parameter number: The number to add; 0 makes no event.
  /// - Returns: Whether the number was added: `false` if the source is not active yet, or has been
  ///   invalidated.
  @discardableResult
  public func add(_ number: UInt) -> Bool {
    core.withSource { $0.add(data: number) }
  }
}

extension ActivatedSource where Event == CombinedData {
  /// Sets bits that the next event reports.
  ///
  /// - Parameter bits: The bits to set; 0 makes no event.
  /// - Returns: Whether the bits were set: `false` if the source is not active yet, or has been
  ///   invalidated.
  @discardableResult
  public func combine(_ bits: UInt) -> Bool {
    core.withSource { $0.or(data: bits) }
  }
}

extension ActivatedSource where Event == ReplacedData {
  /// Replaces the number that the next event reports.
  ///
  /// - Parameter number: The new number. 0 makes no event, and takes back a number that waits.
  /// - Returns: Whether the number was replaced: `false` if the source is not active yet, or has been
  ///   invalidated.
  @discardableResult
  public func replace(_ number: UInt) -> Bool {
    core.withSource { $0.replace(data: number) }
  }
}
