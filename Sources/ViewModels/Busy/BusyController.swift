internal import AtomicProperties
internal import Lifecycles
public import Observation

/// Shows whether a `DataTransform` is at work: busy or idle.
///
/// ```swift
/// let controller = BusyController(of: transform)
/// let shown = controller.busy.observe { spinner.isHidden = !$0 }
/// controller.activate()
/// …
/// controller.invalidate()                      // before the last reference goes
/// ```
///
/// It is the smallest object with the life of all objects that register somewhere: *set up*, *activated* (registers),
/// *invalidated* (unregisters), *deallocated*. The steps are those of `Lifecycle`, which it holds: activating and invalidating
/// act once each, on the main actor, and an event that is on its way when it is invalidated is dropped.
///
/// # The bugs it prevents
/// An object that unregisters in its `deinit` has one of two ends:
///
/// ```swift
/// final class BusyLabel: TransformObserver {
///   init() { subsystem.register(self) }
///   deinit { subsystem.unregister(self) }        // queue.sync { … }
/// }
/// ```
///
/// Where the subsystem holds its observers strongly, `deinit` never runs: the object is kept by the registration that it was to
/// end. Where it holds them weakly, its queue has a reference for the time of a call, and may have the last one: `deinit` then
/// runs on the queue that it waits for. Here nothing is left to be done in `deinit`. Releasing the last reference
/// while it is active traps, by name.
@MainActor
public final class BusyController: DataTransformObserver, Observable {
  private let lifecycle = Lifecycle("BusyController")
  private let transform: DataTransform
  private var registration: DataTransform.Registration?

  private nonisolated let isAtWork: LockFreeProperty<Bool>
  private nonisolated let source: StreamSource<Bool>
  private let registrar = ObservationRegistrar()
  private let changes = TransitionQueue<Bool>()

  /// Makes a controller that shows nothing yet.
  ///
  /// - Parameter transform: What it is to show.
  public init(of transform: DataTransform) {
    self.transform = transform
    let isAtWork = LockFreeProperty(false)
    self.isAtWork = isAtWork
    source = StreamSource { isAtWork.value }
  }

  deinit {
    source.close()
  }

  // MARK: What it shows

  /// Whether the subsystem is at work; false before activation and after invalidation.
  ///
  /// Where an observer of `busy` invalidates the controller, it stays as it is until all observers have been notified of it.
  /// Reading it is tracked by the `Observation` module.
  public var isBusy: Bool {
    registrar.access(self, keyPath: \.isBusy)
    return isAtWork.value
  }

  /// Whether the subsystem is at work, now and after each change; ends with the controller.
  public nonisolated var busy: ModelStream<Bool, Bool> { ModelStream(values: source) }

  private func show(_ isBusy: Bool) {
    changes.add(isBusy) { isBusy in
      if isBusy == isAtWork.value { return }
      registrar.withMutation(of: self, keyPath: \.isBusy) { _ = isAtWork.exchange(isBusy) }
      source.send(isBusy)
    }
  }

  // MARK: Its life

  /// Registers with the subsystem and begins to show what it does; once.
  ///
  /// - Returns: Whether it was this call that did.
  @discardableResult
  public func activate() -> Bool {
    lifecycle.activate {
      registration = transform.register(self)
      show(transform.pending > 0)
    }
  }

  /// Unregisters from the subsystem and shows that nothing is going on; once.
  ///
  /// Also one that was never activated can be invalidated; it can't be activated any more.
  ///
  /// - Returns: Whether it was this call that did.
  @discardableResult
  public func invalidate() -> Bool {
    lifecycle.invalidate {
      registration = nil
      show(false)
    }
  }

  // MARK: Events

  /// Shows busy, unless it was invalidated since the event was posted.
  public func dataTransformDidStart(_ transform: DataTransform) {
    lifecycle.whileActive { show(transform.pending > 0) }
  }

  /// Shows idle when that was the last piece of work, unless it was invalidated since the event was posted.
  public func dataTransformDidStop(_ transform: DataTransform) {
    lifecycle.whileActive { show(transform.pending > 0) }
  }
}
