/// An object with three stages: setup, activation and invalidation.
///
/// `Setup` and `Activation` enforce the order of these stages.
///
/// ```swift
/// final class Thermometer: Activatable {
///   struct Configuration {
///     var interval = Duration.seconds(1)
///     var scale = Scale.celsius
///   }
///
///   private let configuration: Configuration
///   private let lifecycle = Lifecycle(label: "Thermometer")
///
///   init(_ configuration: Configuration) { self.configuration = configuration }
///   func activate() { lifecycle.activate { Sensors.shared.register(self) } }
///   func invalidate() { lifecycle.invalidate { Sensors.shared.unregister(self) } }
/// }
/// ```
public protocol Activatable: AnyObject, Sendable {
  /// The settings that can be chosen before activation.
  associatedtype Configuration

  /// Makes an object that is set up and inactive.
  ///
  /// - Parameter configuration: The settings, which don't change during the object's life.
  init(_ configuration: Configuration)

  /// Activates the object: from now on other code may call it.
  ///
  /// `Setup` calls this once.
  func activate()

  /// Invalidates the object: when this returns, no other code calls the object any more.
  ///
  /// `Activation` calls this once. The object itself and its other owners can call it too, so later calls
  /// must have no effect.
  func invalidate()
}
