internal import Dispatch

/// A dispatch source under the contract of `Lifecycle`: set up, activated, invalidated, deallocated.
///
/// ```swift
/// var setup = Setup<ActivatedSource<ReadEvent>>(.reading(descriptor, on: queue, label: "connection"))
/// setup.configuration.onEvent = { event in connection.read(upTo: event.byteCount) }
/// let activation = setup.activate()                // from here on the handlers can't be changed
/// …
/// activation.invalidate()                          // no event any more; the descriptor is closed on `queue`
/// ```
///
/// Timers, reads, writes, signals and user data, each with its own type of event: `add(_:)` on a timer does not compile.
///
/// # The bug it prevents
/// A `DispatchSource` leaves its rules to memory. Handlers that are set after its activation race with events; a descriptor that is
/// closed where `cancel()` is called is still watched, and may be somebody else's by then; one whose cancel handler is
/// missing stays open; handlers that hold the owner of the source hold it for ever; and releasing a source that is
/// suspended, or was never activated, ends the process with an address and no sentence.
///
/// # What happens when
/// - **Setup**: handlers are set in the configuration, and nowhere else.
/// - **Active**: `onEvent` runs on the queue, one call at a time, also on a concurrent queue. What happens between two
///   calls comes as one event.
/// - **Invalidating**: `invalidate()` stops events as `Lifecycle.invalidate()` stops deliveries. On the source's serial
///   queue nothing runs when it is called, so no handler runs after it. On another thread it waits for the handler
///   that runs. Called inside the handler, that one still runs to its end. An event that was on its way is dropped.
/// - **Cancelled**: after that, `onCancel` runs once, on the queue; then the descriptor, if the source owns it, is
///   closed; then all handlers are released, and what they captured with them, so that an owner which they hold is free. All
///   that happens also in a source that was never activated.
///
/// - **Blocking**: `invalidate()` as said; in asynchronous code it suspends the task instead. Nothing else.
/// - **Deadlocks it permits**: a handler that waits for a thread which invalidates the source.
/// - **Misuse that traps**: releasing the last reference before it is invalidated, with a sentence for each state it
///   may be in; resuming it more often than it was suspended; closing the descriptor that it owns.
/// - **Memory**: an object, its lifecycle, and a dispatch source from activation until it is cancelled.
public final class ActivatedSource<Event: SourceEvent>: Activatable {
  let core: SourceCore<Event>

  /// Makes a source that is being set up.
  ///
  /// - Parameter configuration: Its kind, its queue and its handlers.
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

  /// Where the source is in its life.
  public var state: Lifecycle.State { core.lifecycle.state }

  /// Starts the events; does nothing the second time, and after `invalidate()`.
  public func activate() {
    core.activate()
  }

  /// Stops the events and lets the cancel handler run; does nothing the second time.
  ///
  /// When it returns, no event handler is running or will run, unless it is called inside one. It waits for one that runs
  /// on another thread. The cancel handler comes later, on the source's queue. Suspensions end.
  @available(*, noasync, message: "it blocks the thread; write 'await source.invalidate()'")
  public func invalidate() {
    core.invalidate()
  }

  /// Stops the events and lets the cancel handler run, without blocking a thread; does nothing the second time.
  ///
  /// The calling task is suspended while a handler runs. In everything else it is the form that blocks.
  nonisolated(nonsending)
    public func invalidate() async
  {
    await core.invalidateWithoutBlocking()
  }

  // MARK: Suspending

  /// Holds events back until `resume()` has been called as often; they come as one then.
  ///
  /// An event whose handler is about to run on another thread may still come. Before activation, it holds back from the
  /// beginning. After invalidation it does nothing.
  public func suspend() {
    core.suspend()
  }

  /// Takes one `suspend()` back; without one it traps.
  ///
  /// After invalidation, which ends all suspensions, it does nothing.
  public func resume() {
    core.resume()
  }
}

// MARK: User data

extension ActivatedSource where Event == AddedData {
  /// Adds a number to the sum that the next event tells.
  ///
  /// - Parameter number: What to add; 0 makes no event.
  /// - Returns: Whether the source is active; if not, nothing was added.
  @discardableResult
  public func add(_ number: UInt) -> Bool {
    core.withSource { $0.add(data: number) }
  }
}

extension ActivatedSource where Event == CombinedData {
  /// Sets bits that the next event tells.
  ///
  /// - Parameter bits: Which; 0 makes no event.
  /// - Returns: Whether the source is active; if not, nothing was set.
  @discardableResult
  public func combine(_ bits: UInt) -> Bool {
    core.withSource { $0.or(data: bits) }
  }
}

extension ActivatedSource where Event == ReplacedData {
  /// Replaces the number that the next event tells.
  ///
  /// - Parameter number: What to replace it by; 0 makes no event.
  /// - Returns: Whether the source is active; if not, nothing was replaced.
  @discardableResult
  public func replace(_ number: UInt) -> Bool {
    core.withSource { $0.replace(data: number) }
  }
}
