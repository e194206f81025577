internal import Dispatch
internal import InterlockCore
internal import InterlockWaits

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

  /// Invalidates the object without blocking a thread; `await activation.invalidate()` calls this once.
  ///
  /// The default implementation runs the blocking `invalidate()` on a thread of its own, and the calling task is suspended
  /// until that returns. Implement this where the object can be invalidated without such a thread, for instance with the
  /// asynchronous `invalidate` of its `Lifecycle`.
  ///
  /// - Parameter isolation: The caller's isolation.
  func invalidate(isolation: isolated (any Actor)?) async
}

extension Activatable {
  /// Runs the blocking `invalidate()` on a thread of its own.
  ///
  /// - **Wait**: it ends with that call; a cancelled task waits on; no timeout; one caller alone; no priority is
  ///   lent; it throws nothing.
  ///
  /// - Parameter isolation: The caller's isolation.
  public func invalidate(isolation: isolated (any Actor)?) async {
    // Sound: only the work uses the variable. It is one, so that the thread no longer refers to the object when the task
    // goes on.
    nonisolated(unsafe) var object: Self? = self
    let waiter = TaskWaiter()
    let work: @Sendable () -> Void = {
      unsafe object.take()?.invalidate()
      checkNoLockHeld(before: "a continuation is resumed")
      waiter.resume()
    }
    // Untested: the system would have to run out of threads. A thread that exists does the work later.
    if !PlatformThread.startDetached(work) { DispatchQueue.global().async(execute: work) }
    await waiter.waitUntilResumed()
  }
}
