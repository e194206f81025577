/// An object before its activation: what it will be like can be changed, and nothing else be done with it.
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
/// The object does not exist before it is activated, so a setup that is dropped instead leaves nothing behind.
public struct Setup<Object: Activatable>: ~Copyable {
  /// What the object will be made with.
  public var configuration: Object.Configuration

  /// Begins the setup of an object.
  ///
  /// - Parameter configuration: What it will be made with, unless it is changed.
  public init(_ configuration: consuming Object.Configuration) {
    self.configuration = configuration
  }

  /// Makes the object and activates it.
  ///
  /// It blocks for as long as the object's `init` and `activate` do.
  ///
  /// - Returns: What ends it. Dropping that without `invalidate()` traps.
  public consuming func activate() -> Activation<Object> {
    let object = Object(configuration)
    object.activate()
    return Activation(object)
  }
}

extension Setup: Sendable where Object.Configuration: Sendable {}
