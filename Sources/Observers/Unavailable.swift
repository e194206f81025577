// Earlier names, with those that a program should write instead.

extension WeakObservers {
  /// Not available: it is `add(_:)`.
  @available(*, unavailable, renamed: "add(_:)")
  public func observe(by observer: Observer) -> Registration { add(observer) }

  /// Not available: it is `add(whileAlive:)`.
  @available(*, unavailable, renamed: "add(whileAlive:)")
  public func observe(whileAlive observer: Observer) { add(whileAlive: observer) }

  /// Not available: it is `remove(_:)`.
  @available(*, unavailable, renamed: "remove(_:)")
  public func endObservation(by observer: Observer) -> Bool { remove(observer) }
}

/// Not available: a struct or a closure that captures it can have a weak constant.
@available(*, unavailable, message: "declare 'weak let object: Object?' in a struct or a class of your own")
public struct WeakHolder<Object> {
  /// Not available.
  public init(_ object: Object) {}
}

extension OrderedDelivery {
  /// Not available: it is `finish()`.
  @available(*, unavailable, renamed: "finish()")
  public func end() {}

  /// Not available: it is `isFinished`.
  @available(*, unavailable, renamed: "isFinished")
  public var hasEnded: Bool { false }
}
