internal import AtomicProperties
internal import Lifecycles
public import Observation

/// Shows whether a `DataTransform` is busy or idle.
///
/// ```swift
/// let controller = BusyController(of: transform)
/// let shown = controller.busy.observe { spinner.isHidden = !$0 }
/// controller.activate()
/// …
/// controller.invalidate()                      // before the last reference is released
/// ```
///
/// A controller is an example of an object that registers with another object. It is first set up, then
/// activated (it registers), then invalidated (it unregisters), and finally deallocated. A `Lifecycle`
/// enforces this order. Only the first activation and the first invalidation have an effect. Both take place
/// on the main actor. An event that is pending when the controller is invalidated is dropped.
///
/// # The bugs it prevents
/// An object that unregisters in its `deinit` fails in one of two ways:
///
/// ```swift
/// final class BusyLabel: TransformObserver {
///   init() { subsystem.register(self) }
///   deinit { subsystem.unregister(self) }        // queue.sync { … }
/// }
/// ```
///
/// If the subsystem holds its observers strongly, `deinit` never runs, because the registration keeps the
/// object alive. If the subsystem holds them weakly, its queue holds a strong reference to an observer while
/// it calls the observer. That reference may be the last one. Then `deinit` runs on the queue and waits for
/// the same queue: a deadlock.
///
/// The `deinit` of a `BusyController` has nothing to unregister. A controller that is deallocated while it is
/// active traps, and the message names its type.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
public final class BusyController: DataTransformObserver, Observable {
  private let lifecycle = Lifecycle(label: "BusyController")
  private let transform: DataTransform
  private var registration: DataTransform.Registration?

  private nonisolated let isAtWork: AtomicProperty<Bool>
  private nonisolated let source: StreamSource<Bool>
  private let registrar = ObservationRegistrar()
  private let changes = TransitionQueue<Bool>()

  /// Makes a controller that is not activated yet.
  ///
  /// - Parameter transform: The subsystem to observe.
  public init(of transform: DataTransform) {
    self.transform = transform
    let isAtWork = AtomicProperty(false)
    self.isAtWork = isAtWork
    let changes = changes
    source = StreamSource(current: { isAtWork.value }, whileDelaying: { changes.delaying($0) })
    changes.make = { [weak self] in self?.make($0) }
  }

  deinit {
    source.close()
  }

  // MARK: What it shows

  /// Whether the subsystem is working; false before activation and after invalidation.
  ///
  /// If an observer of `busy` invalidates the controller, this property becomes false only after all
  /// observers have been called with the current value. The `Observation` module tracks reads of this
  /// property.
  public var isBusy: Bool {
    registrar.access(self, keyPath: \.isBusy)
    return isAtWork.value
  }

  /// A stream of `isBusy`: its current value, and each later value.
  ///
  /// The stream ends when the controller is deallocated.
  public nonisolated var busy: ModelStream<Bool, Bool> { ModelStream(values: source) }

  private func show(_ isBusy: Bool) {
    changes.add(isBusy)
  }

  /// Sets `isBusy` and notifies observers; does nothing if the value is unchanged.
  private func make(_ isBusy: Bool) {
    if isBusy == isAtWork.value { return }
    registrar.withMutation(of: self, keyPath: \.isBusy) { _ = isAtWork.exchange(isBusy) }
    source.send(isBusy)
  }

  // MARK: Its life

  /// Registers with the subsystem and begins to show whether it is busy.
  ///
  /// Only the first call has an effect. After `invalidate()`, no call has one.
  ///
  /// - Returns: Whether this call activated the controller.
  @discardableResult
  public func activate() -> Bool {
    lifecycle.activate {
      registration = transform.observe(by: self)
      show(transform.pending > 0)
    }
  }

  /// Unregisters from the subsystem, and sets `isBusy` to false.
  ///
  /// Must be called before the last reference to an active controller is released. Only the first call has an
  /// effect. A controller that was never activated can be invalidated too, but can't be activated afterwards.
  ///
  /// - Returns: Whether this call invalidated the controller.
  @discardableResult
  public func invalidate() -> Bool {
    lifecycle.invalidate {
      registration = nil
      show(false)
    }
  }

  // MARK: Events

  /// Shows that the subsystem is busy; has no effect on a controller that is not active.
  public func dataTransformDidStart(_ transform: DataTransform) {
    lifecycle.whileActive { show(transform.pending > 0) }
  }

  /// Shows that the subsystem is idle if no work is left; has no effect on a controller that is not active.
  public func dataTransformDidStop(_ transform: DataTransform) {
    lifecycle.whileActive { show(transform.pending > 0) }
  }
}
