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

  /// Invalidates the object and lets it go.
  ///
  /// It blocks for as long as the object's `invalidate` does.
  public consuming func invalidate() {
    // Sound: it takes over the one reference, and `discard` keeps `deinit` from being run.
    let object = unsafe reference.takeRetainedValue()
    discard self
    object.invalidate()
  }

  // Not `Never`: a deinit has to have an end.
  @inline(never)
  private static func trapDropped() {
    misuse("Activation<\(Object.self)>", "dropped while its object is active", "end it with invalidate()")
  }
}
