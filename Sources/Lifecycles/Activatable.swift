/// An object that goes through setup, activation and invalidation, and leaves keeping the order to `Setup` and `Activation`.
///
/// ```swift
/// final class Thermometer: Activatable {
///   struct Configuration {
///     var interval = Duration.seconds(1)
///     var scale = Scale.celsius
///   }
///
///   private let configuration: Configuration
///   private let lifecycle = Lifecycle("Thermometer")
///
///   init(_ configuration: Configuration) { self.configuration = configuration }
///   func activate() { lifecycle.activate { Sensors.shared.register(self) } }
///   func invalidate() { lifecycle.invalidate { Sensors.shared.unregister(self) } }
/// }
/// ```
public protocol Activatable: AnyObject, Sendable {
  /// What can be chosen until the object is activated.
  associatedtype Configuration

  /// Makes an object that is set up and inactive.
  ///
  /// - Parameter configuration: What was chosen. Nobody changes it any more.
  init(_ configuration: Configuration)

  /// Begins: from now on the object may be called.
  ///
  /// `Setup` calls it once.
  func activate()

  /// Ends: when it returns, the object is not called any more.
  ///
  /// `Activation` calls it once. The object may also call it itself, and others that hold it, so it has to act once.
  func invalidate()
}
