/// An object before its activation: its configuration can be changed, and it can't be used in any other way.
///
/// ```swift
/// var setup = Setup<Thermometer>(Thermometer.Configuration())
/// setup.configuration.interval = .seconds(10)
/// let activation = setup.activate()
/// // setup.configuration.interval = …           would not compile: the setup has been consumed
/// …
/// activation.invalidate()
/// ```
///
/// # The bug it prevents
/// An object whose properties can be set at any time is changed while it is being called:
///
/// ```swift
/// thermometer.activate()
/// thermometer.interval = .seconds(10)          // too late, or a race with the thread that measures
/// ```
///
/// Only `activate()` makes the object, so dropping a setup without activating it has no effect.
public struct Setup<Object: Activatable>: ~Copyable {
  /// The configuration with which the object will be made.
  public var configuration: Object.Configuration

  /// Begins the setup of an object, which `activate()` will make.
  ///
  /// - Parameter configuration: The initial configuration.
  public init(_ configuration: consuming Object.Configuration) {
    self.configuration = configuration
  }

  /// Makes the object and activates it.
  ///
  /// Blocks for as long as the object's `init` and `activate` do.
  ///
  /// - Returns: The activation, with which to invalidate the object. Dropping it without `invalidate()`
  ///   traps.
  public consuming func activate() -> Activation<Object> {
    let object = Object(configuration)
    object.activate()
    return Activation(object)
  }
}

extension Setup: Sendable where Object.Configuration: Sendable {}
