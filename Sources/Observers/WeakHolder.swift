internal import InterlockCore

/// A weak reference as a value.
///
/// Only a variable can be `weak`. This value can be an element of an array, the value of a dictionary, or
/// captured by a closure. `Object` may be a class, or the existential type of a class-bound protocol. Swift
/// can't express that as a constraint, so a value that is not an object traps at run time.
///
/// ```swift
/// let holder = WeakHolder<any RowsObserver>(table)
/// Thread.detachNewThread { while let table = holder.object { table.refresh() } }  // while it lives
/// ```
///
/// After the object is deallocated, the reference stays `nil`, even if another object is made at the same
/// address.
///
/// - **Blocking**: never.
/// - **Misuse that traps**: holding a value that is not an object, such as a struct.
public struct WeakHolder<Object> {
  // Sound: any thread may read a weak reference that is never written after `init`. Threads share the object
  // only if `Object` is `Sendable`, because otherwise the holder is not.
  @usableFromInline
  nonisolated(unsafe) weak var reference: AnyObject?

  /// Makes a holder of `object`.
  ///
  /// - Parameter object: An object. Any other value traps, because it would be in a box that is deallocated
  ///   immediately.
  public init(_ object: Object) {
    guard type(of: object as Any) is AnyClass else {
      misuse(
        "WeakHolder", "made with a value of type \(type(of: object as Any)), which is no object",
        "hold an instance of a class")
    }
    unsafe reference = object as AnyObject
  }

  /// The object; `nil` after it has been deallocated.
  ///
  /// A caller that keeps the result keeps the object alive. The last owner to release it runs its `deinit`.
  ///
  /// - Complexity: O(1). Where `Object` is a protocol, a dynamic cast.
  @_alwaysEmitIntoClient
  public var object: Object? {
    // Sound: `init` stored an `Object`.
    unsafe reference.map { $0 as! Object }
  }

  /// Whether the reference refers to `object`.
  func holds(_ object: AnyObject) -> Bool {
    unsafe reference === object
  }

  /// Whether the object is alive.
  ///
  /// It may be deallocated at any moment.
  var isAlive: Bool { unsafe reference != nil }
}

extension WeakHolder: Sendable where Object: Sendable {}
