internal import PlatformLocks

/// A reference that does not keep its object alive, as a value.
///
/// `weak` can only be said of a variable; this can be an element of an array, the value of a dictionary, or what a closure
/// captures. `Object` may be a class, or the existential type of a protocol that only classes conform to: what Swift
/// can't express as a constraint, so that an object of another kind traps when the program runs.
///
/// ```swift
/// let holder = WeakHolder<any RowsObserver>(table)
/// Thread.detachNewThread { while let table = holder.object { table.refresh() } }   // ends when the table has gone
/// ```
///
/// An object that has gone stays gone: one that is made later at the same address is another one.
///
/// - **Blocking**: never.
/// - **Misuse that traps**: holding a value that is no object, such as a struct.
public struct WeakHolder<Object> {
  // Sound: a weak reference that is never written after `init` may be read by any thread; what it yields is shared only
  // where `Object` is `Sendable`, because otherwise the holder is not.
  private nonisolated(unsafe) weak let reference: AnyObject?

  /// Makes a holder of `object`.
  ///
  /// - Parameter object: An object. A value that is none traps: it would be in a box that goes at once.
  public init(_ object: Object) {
    guard type(of: object as Any) is AnyClass else {
      misuse(
        "WeakHolder", "made with a value of type \(type(of: object as Any)), which is no object",
        "hold an instance of a class")
    }
    unsafe reference = object as AnyObject
  }

  /// The object; `nil` when it has gone.
  ///
  /// While the result is kept, it keeps the object alive; whoever releases it last runs the object's `deinit`.
  ///
  /// - Complexity: O(1). Where `Object` is a protocol, a dynamic cast.
  public var object: Object? {
    // What `init` put in was an `Object`.
    unsafe reference.map { $0 as! Object }
  }

  /// Whether it holds `object`, which is alive.
  func holds(_ object: AnyObject) -> Bool {
    unsafe reference === object
  }

  /// Whether the object is alive; it may go at any moment.
  var isAlive: Bool { unsafe reference != nil }
}

extension WeakHolder: Sendable where Object: Sendable {}
