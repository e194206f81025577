/// Who wants to know when a `DataTransform` begins and ends its work.
///
/// Both functions do nothing where they are not implemented. They are called on the main actor, in the order of the events.
/// An event is the whole of it: `DataTransform.pending` is what is under way after the event, so that an observer
/// that came between a start and its stop knows as much as one that was there before.
@MainActor
public protocol DataTransformObserver: AnyObject, Sendable {
  /// A piece of work has been begun; `transform.pending` counts it.
  func dataTransformDidStart(_ transform: DataTransform)

  /// A piece of work has ended; `transform.pending` does not count it any more.
  func dataTransformDidStop(_ transform: DataTransform)
}

extension DataTransformObserver {
  /// Does nothing.
  public func dataTransformDidStart(_ transform: DataTransform) {}

  /// Does nothing.
  public func dataTransformDidStop(_ transform: DataTransform) {}
}
