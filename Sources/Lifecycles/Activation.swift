internal import InterlockCore

/// An active object that must be invalidated: destroying this value without `invalidate()` traps.
///
/// It is noncopyable, so it has one owner, which must invalidate the object. `Setup` makes it.
///
/// # The bug it prevents
/// An object that is forgotten while it is registered somewhere stays registered and is called forever, or
/// it is deallocated during a call. Without this type, nothing enforces `invalidate()`:
///
/// ```swift
/// thermometer = nil                            // it still measures
/// ```
///
/// # A class that owns one
/// A stored property can't be consumed. Keep the activation in an `ExclusiveProtector`, and take it out of
/// there to invalidate it:
///
/// ```swift
/// import Lifecycles
/// import Protectors
///
/// final class WeatherStation: Sendable {
///   private let thermometer = ExclusiveProtector<Activation<Thermometer>?>(nil)
///
///   func open() {
///     let setup = Setup<Thermometer>(Thermometer.Configuration())
///     let earlier = thermometer.exchange(setup.activate())
///     if let earlier { earlier.invalidate() }
///   }
///
///   func close() {
///     if let activation = thermometer.exchange(nil) { activation.invalidate() }
///   }
/// }
/// ```
///
/// - **Misuse that traps**: destroying an activation without `invalidate()`, for example by assigning
///   another one to its variable, or by throwing an error past it. An activation in a global variable does
///   not trap at the end of the program, because globals are not destroyed.
@safe
public struct Activation<Object: Activatable>: ~Copyable, Sendable {
  // Not a strong reference, because `discard self` requires stored properties that need no destruction.
  // Sound: the activation owns one reference to the object, and only `invalidate()` releases it. `deinit`
  // always traps.
  private let reference: Unmanaged<Object>

  /// Makes the activation of an object that has just been activated.
  ///
  /// - Parameter object: The object, which this value retains until `invalidate()`.
  init(_ object: Object) {
    unsafe reference = Unmanaged.passRetained(object)
  }

  deinit {
    Self.trapDropped()
  }

  /// The active object.
  ///
  /// A caller that keeps this reference can still call the object after its invalidation.
  public var object: Object {
    // Sound: the reference is owned for as long as the activation exists.
    unsafe reference.takeUnretainedValue()
  }

  /// Invalidates the object and releases it.
  ///
  /// Blocks for as long as the object's `invalidate` does.
  @available(
    *, noasync,
    message:
      "it blocks the thread; write 'await activation.invalidate()'; at the top level of main.swift, put that into an async function"
  )
  public consuming func invalidate() {
    // Sound: this consumes the one reference, and `discard` keeps `deinit` from running.
    let object = unsafe reference.takeRetainedValue()
    discard self
    object.invalidate()
  }

  /// Invalidates the object and releases it; the calling task is suspended until then.
  ///
  /// This is the object's asynchronous invalidation. By default, the object's blocking `invalidate()` runs on a thread of
  /// its own, which waits for no thread of a pool. If the object must be invalidated on a certain queue or thread, call the
  /// blocking `invalidate()` of this type there, in a function that is not `async`.
  ///
  /// - **Wait**: it ends with the object's invalidation; a cancelled task waits on; no timeout; one caller alone;
  ///   no priority is lent; it throws nothing.
  ///
  /// - Parameter isolation: The caller's isolation.
  public consuming func invalidate(isolation: isolated (any Actor)? = #isolation) async {
    // Sound: this consumes the one reference, and `discard` keeps `deinit` from running.
    let object = unsafe reference.takeRetainedValue()
    discard self
    await object.invalidate(isolation: isolation)
  }

  // This function is not `-> Never`, because the compiler rejects a `deinit` that can't return.
  @inline(never)
  private static func trapDropped() {
    misuse("Activation<\(Object.self)>", "dropped while its object is active", "end it with invalidate()")
  }
}
