internal import InterlockCore

/// An object before its activation: its configuration can be changed, and it can't be used in any other way.
///
/// ```swift
/// var setup = Setup<Thermometer>(Thermometer.Configuration())
/// setup.configuration.interval = .seconds(10)
/// setup.withActivation { thermometer in … }
/// // setup.configuration.interval = …           would not compile: the setup has been consumed
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
/// Only the activation makes the object, so dropping a setup has no effect.
public struct Setup<Object: Activatable>: ~Copyable {
  /// The configuration with which the object will be made.
  public var configuration: Object.Configuration

  /// Begins the setup of an object, which the activation will make.
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

  /// Makes the object and activates it, runs `body`, and invalidates the object, also if `body` throws.
  ///
  /// Blocks for as long as the object's `init`, `activate`, `invalidate` and `body` do.
  ///
  /// - Parameter body: Called with the active object. If it invalidates the object itself, the end has no further effect.
  /// - Returns: The result of `body`, after the invalidation.
  /// - Throws: The error of `body`, after the invalidation.
  @available(
    *, noasync,
    message:
      "it blocks the thread; write 'await setup.withActivation { … }'; at the top level of main.swift, put that into an async function"
  )
  // Otherwise a closure without `await`, in asynchronous code, would choose this function.
  @_disfavoredOverload
  public consuming func withActivation<R: ~Copyable, E: Error>(
    _ body: (Object) throws(E) -> sending R
  ) throws(E) -> sending R {
    let activation = activate()
    do throws(E) {
      let result = try body(activation.object)
      activation.invalidate()
      return result
    } catch {
      activation.invalidate()
      throw error
    }
  }

  /// Makes the object and activates it, runs `body`, and invalidates the object, also if `body` throws.
  ///
  /// Blocks for as long as the object's `init` and `activate` do. The task is suspended while the object is invalidated,
  /// on a thread of its own, as `Activation.invalidate(isolation:)` does it; a cancelled task waits for that as well.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - body: Called with the active object. If it invalidates the object itself, the end has no further effect.
  /// - Returns: The result of `body`, after the invalidation.
  /// - Throws: The error of `body`, after the invalidation.
  public consuming func withActivation<R: ~Copyable, E: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) (Object) async throws(E) -> sending R
  ) async throws(E) -> sending R {
    let activation = activate()
    do throws(E) {
      keepExecutor()
      let result = try await body(activation.object)
      await activation.invalidate()
      return result
    } catch {
      await activation.invalidate()
      throw error
    }
  }
}

extension Setup: Sendable where Object.Configuration: Sendable {}
