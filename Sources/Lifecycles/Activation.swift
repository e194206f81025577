internal import Dispatch
internal import PlatformLocks

/// An active object, which has to be invalidated: dropping this without `invalidate()` traps.
///
/// It can't be copied, so there is one owner, who knows that it is theirs to end it. `Setup` makes it.
///
/// # The bug it prevents
/// An object that is forgotten while it is registered somewhere stays there, and is called, for ever; or it goes in the midst
/// of a call. Nothing reminds anybody of `invalidate()`:
///
/// ```swift
/// thermometer = nil                            // it still measures
/// ```
///
/// # A class that owns one
/// A stored property can't be consumed. Keep the activation in an `ExclusiveProtector`, and take it out of there to end it:
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
/// - **Misuse that traps**: dropping it, also by assigning another one to the variable that holds it, or by throwing past it.
///   An activation that lives until the program ends does not trap: globals are not destroyed.
@safe
public struct Activation<Object: Activatable>: ~Copyable, Sendable {
  // Sound: it owns one reference to the object, which `invalidate()` takes over; `deinit` has no other way on than the trap.
  // (A stored object would have to be destroyed, and then `discard` were not allowed.)
  private let reference: Unmanaged<Object>

  /// - Parameter object: An object that has just been activated.
  init(_ object: Object) {
    unsafe reference = Unmanaged.passRetained(object)
  }

  deinit {
    Self.trapDropped()
  }

  /// The active object.
  ///
  /// Who keeps it may call it also after its invalidation.
  public var object: Object {
    // Sound: the reference is owned for as long as the activation exists.
    unsafe reference.takeUnretainedValue()
  }

  /// Invalidates the object and releases it.
  ///
  /// It blocks for as long as the object's `invalidate` does.
  @available(*, noasync, message: "it blocks the thread; write 'await activation.invalidate()'")
  public consuming func invalidate() {
    // Sound: it takes over the one reference, and `discard` keeps `deinit` from being run.
    let object = unsafe reference.takeRetainedValue()
    discard self
    object.invalidate()
  }

  /// Invalidates the object, while the calling task is suspended, and releases it.
  ///
  /// The object's `invalidate` runs on a thread of libdispatch, which it may block. An object that has to be invalidated on a
  /// certain queue or thread is invalidated by the other form, there, in a function that is not `async`.
  nonisolated(nonsending)
    public consuming func invalidate() async
  {
    // Sound: as above.
    let object = unsafe reference.takeRetainedValue()
    discard self
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        object.invalidate()
        continuation.resume()
      }
    }
  }

  // Not `Never`: a deinit has to have an end.
  @inline(never)
  private static func trapDropped() {
    misuse("Activation<\(Object.self)>", "dropped while its object is active", "end it with invalidate()")
  }
}
