/// An observer of a `DataTransform`, notified when a work item is passed in, and when it has ended.
///
/// Both functions have default implementations that do nothing. They are called on the main actor, in the
/// order of the events. `DataTransform.pending` is updated before each call. An observer that registers while
/// work is in progress should read `pending`, because it gets no earlier events.
@MainActor
public protocol DataTransformObserver: AnyObject, Sendable {
  /// A work item was passed to `run(_:_:)`: it waits or runs, and `transform.pending` counts it.
  func dataTransformDidStart(_ transform: DataTransform)

  /// A work item has ended; `transform.pending` does not count it any more.
  func dataTransformDidStop(_ transform: DataTransform)
}

extension DataTransformObserver {
  /// Does nothing.
  public func dataTransformDidStart(_ transform: DataTransform) {}

  /// Does nothing.
  public func dataTransformDidStop(_ transform: DataTransform) {}
}
