internal import Lifecycles
public import Observation

/// Shows whether a `DataTransform` is busy or idle.
///
/// ```swift
/// let controller = BusyController(of: transform)
/// controller.activate()
/// spinner.isHidden = !controller.isBusy        // the Observation module tracks it
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
/// An object that unregisters in its `deinit` fails in one of two ways. If the subsystem holds its observers
/// strongly, `deinit` never runs, because the registration keeps the object alive. If it holds them weakly,
/// its queue holds a strong reference to an observer while it calls the observer. That reference may be the
/// last one. Then `deinit` runs on the queue and waits for the same queue: a deadlock.
///
/// The `deinit` of a `BusyController` has nothing to unregister. A controller that is deallocated while it is
/// active traps, and the message names its type.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
public final class BusyController: DataTransformObserver, Observable {
  private let lifecycle = Lifecycle(label: "BusyController")
  private let transform: DataTransform
  private var registration: DataTransform.Registration?
  private var isAtWork = false
  private let registrar = ObservationRegistrar()

  /// Creates a controller that is not activated yet.
  ///
  /// - Parameter transform: The subsystem to observe.
  public init(of transform: DataTransform) {
    self.transform = transform
  }

  /// Whether the subsystem is working; false before activation and after invalidation.
  ///
  /// The `Observation` module tracks reads of this property.
  public var isBusy: Bool {
    registrar.access(self, keyPath: \.isBusy)
    return isAtWork
  }

  private var newValue: Bool { registration != nil && transform.pending > 0 }

  private func update() {
    if newValue == isAtWork { return }
    // `newValue` is read again, because an observer that is notified may invalidate the controller.
    registrar.withMutation(of: self, keyPath: \.isBusy) { isAtWork = newValue }
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
      update()
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
      update()
    }
  }

  // MARK: Events

  /// Shows that the subsystem is busy; has no effect on a controller that is not active.
  public func dataTransformDidStart(_ transform: DataTransform) {
    lifecycle.whileActive { update() }
  }

  /// Shows that the subsystem is idle if no work is left; has no effect on a controller that is not active.
  public func dataTransformDidStop(_ transform: DataTransform) {
    lifecycle.whileActive { update() }
  }
}
