/// A weak reference as a value, also to an object behind a protocol, which a `weak` variable can't have in generic code.
///
/// After the object is deallocated, the reference stays `nil`, even if another object is made at the same
/// address.
@usableFromInline
package struct WeakReference<Object> {
  // Sound: any thread may read a weak reference that is never written after `init`. Threads share the object
  // only if `Object` is `Sendable`, because otherwise the reference is not.
  @usableFromInline
  nonisolated(unsafe) weak var reference: AnyObject?

  /// Makes a reference to `object`, which must be an object: any other value would be in a box that is deallocated
  /// immediately.
  package init(_ object: Object) {
    unsafe reference = object as AnyObject
  }

  /// The object; `nil` after it has been deallocated.
  ///
  /// A caller that keeps the result keeps the object alive. The last owner to release it runs its `deinit`.
  ///
  /// - Complexity: O(1). Where `Object` is a protocol, a dynamic cast.
  @_alwaysEmitIntoClient
  package var object: Object? {
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

extension WeakReference: Sendable where Object: Sendable {}
