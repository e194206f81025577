public import Dispatch
public import Lifecycles

// A source of which only the handler is to be set up is configured, made and activated in one call.

extension ActivatedSource {
  private static func activate(
    _ configuration: Configuration, _ onEvent: @escaping @Sendable (Event) -> Void
  ) -> Activation<ActivatedSource> {
    var setup = Setup<ActivatedSource>(configuration)
    setup.configuration.onEvent = onEvent
    return setup.activate()
  }
}

extension ActivatedSource where Event == TimerEvent {
  /// Starts a timer that fires once or, from then on, at an interval.
  ///
  /// ```swift
  /// let ending = ActivatedSource.timer(after: .seconds(30), on: queue) { _ in connection.close() }
  /// …
  /// ending.invalidate()
  /// ```
  ///
  /// - Parameters:
  ///   - delay: The time to the first event. A negative delay traps.
  ///   - interval: The time between later events; `nil` for a timer that fires once. An interval that is not
  ///     positive traps.
  ///   - leeway: The time by which the system may delay an event in order to save power. A negative leeway
  ///     traps.
  ///   - queue: The queue of the handler.
  ///   - label: The name of the source in messages about misuse.
  ///   - onEvent: Handles an event, on the queue; called for one event at a time.
  /// - Returns: The activation of the timer, with which to invalidate it. Dropping it without `invalidate()` traps.
  public static func timer(
    after delay: Duration, every interval: Duration? = nil, leeway: Duration = .zero, on queue: DispatchQueue,
    label: StaticString = "timer", onEvent: @escaping @Sendable (TimerEvent) -> Void
  ) -> Activation<ActivatedSource> {
    activate(.timer(after: delay, every: interval, leeway: leeway, on: queue, label: label), onEvent)
  }

  /// Starts a timer that fires at an interval, for the first time after one interval.
  ///
  /// ```swift
  /// let ticking = ActivatedSource.timer(every: .seconds(1), on: queue) { event in show(event.count) }
  /// …
  /// ticking.invalidate()
  /// ```
  ///
  /// - Parameters:
  ///   - interval: The time before each event. An interval that is not positive traps.
  ///   - leeway: The time by which the system may delay an event in order to save power. A negative leeway
  ///     traps.
  ///   - queue: The queue of the handler.
  ///   - label: The name of the source in messages about misuse.
  ///   - onEvent: Handles an event, on the queue; called for one event at a time.
  /// - Returns: The activation of the timer, with which to invalidate it. Dropping it without `invalidate()` traps.
  public static func timer(
    every interval: Duration, leeway: Duration = .zero, on queue: DispatchQueue,
    label: StaticString = "timer", onEvent: @escaping @Sendable (TimerEvent) -> Void
  ) -> Activation<ActivatedSource> {
    activate(.timer(every: interval, leeway: leeway, on: queue, label: label), onEvent)
  }
}

extension ActivatedSource where Event == ReadEvent {
  /// Starts a source that reports when its descriptor can be read; see `Configuration.reading(_:closesDescriptor:on:label:)`.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor to read. A negative one traps.
  ///   - closesDescriptor: Whether the source owns the descriptor, and closes it when it has ended. One that it doesn't
  ///     own must stay open until a cancel handler has run: set that up with a `Setup`.
  ///   - queue: The queue of the handler.
  ///   - label: The name of the source in messages about misuse.
  ///   - onEvent: Reads, on the queue; called for one event at a time.
  /// - Returns: The activation of the source, with which to invalidate it. Dropping it without `invalidate()` traps.
  public static func reading(
    _ descriptor: Int32, closesDescriptor: Bool = true, on queue: DispatchQueue,
    label: StaticString = "reading",
    onEvent: @escaping @Sendable (ReadEvent) -> Void
  ) -> Activation<ActivatedSource> {
    activate(.reading(descriptor, closesDescriptor: closesDescriptor, on: queue, label: label), onEvent)
  }
}

extension ActivatedSource where Event == WriteEvent {
  /// Starts a source that reports when its descriptor can be written; see `Configuration.writing(_:closesDescriptor:on:label:)`.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor to write. A negative one traps.
  ///   - closesDescriptor: Whether the source owns the descriptor, and closes it when it has ended. One that it doesn't
  ///     own must stay open until a cancel handler has run: set that up with a `Setup`.
  ///   - queue: The queue of the handler.
  ///   - label: The name of the source in messages about misuse.
  ///   - onEvent: Writes, on the queue; called for one event at a time.
  /// - Returns: The activation of the source, with which to invalidate it. Dropping it without `invalidate()` traps.
  public static func writing(
    _ descriptor: Int32, closesDescriptor: Bool = true, on queue: DispatchQueue,
    label: StaticString = "writing",
    onEvent: @escaping @Sendable (WriteEvent) -> Void
  ) -> Activation<ActivatedSource> {
    activate(.writing(descriptor, closesDescriptor: closesDescriptor, on: queue, label: label), onEvent)
  }
}

extension ActivatedSource where Event == SignalEvent {
  /// Starts a source that reports a signal to the process; see `Configuration.signal(_:on:label:)`.
  ///
  /// - Parameters:
  ///   - number: The signal's number. One that no signal has traps.
  ///   - queue: The queue of the handler.
  ///   - label: The name of the source in messages about misuse.
  ///   - onEvent: Handles the signal, on the queue; called for one event at a time.
  /// - Returns: The activation of the source, with which to invalidate it. Dropping it without `invalidate()` traps.
  public static func signal(
    _ number: Int32, on queue: DispatchQueue, label: StaticString = "signal",
    onEvent: @escaping @Sendable (SignalEvent) -> Void
  ) -> Activation<ActivatedSource> {
    activate(.signal(number, on: queue, label: label), onEvent)
  }
}

extension ActivatedSource where Event == AddedData {
  /// Starts a source that reports the sum of the numbers passed to `add(_:)` since the last event.
  ///
  /// - Parameters:
  ///   - queue: The queue of the handler.
  ///   - label: The name of the source in messages about misuse.
  ///   - onEvent: Handles a sum, on the queue; called for one event at a time.
  /// - Returns: The activation of the source, with which to invalidate it. Dropping it without `invalidate()` traps.
  public static func adding(
    on queue: DispatchQueue, label: StaticString = "adding", onEvent: @escaping @Sendable (AddedData) -> Void
  ) -> Activation<ActivatedSource> {
    activate(.adding(on: queue, label: label), onEvent)
  }
}

extension ActivatedSource where Event == CombinedData {
  /// Starts a source that reports the bits set by `combine(_:)` since the last event.
  ///
  /// - Parameters:
  ///   - queue: The queue of the handler.
  ///   - label: The name of the source in messages about misuse.
  ///   - onEvent: Handles the bits, on the queue; called for one event at a time.
  /// - Returns: The activation of the source, with which to invalidate it. Dropping it without `invalidate()` traps.
  public static func combining(
    on queue: DispatchQueue, label: StaticString = "combining",
    onEvent: @escaping @Sendable (CombinedData) -> Void
  ) -> Activation<ActivatedSource> {
    activate(.combining(on: queue, label: label), onEvent)
  }
}

extension ActivatedSource where Event == ReplacedData {
  /// Starts a source that reports the last number passed to `replace(_:)`.
  ///
  /// - Parameters:
  ///   - queue: The queue of the handler.
  ///   - label: The name of the source in messages about misuse.
  ///   - onEvent: Handles a number, on the queue; called for one event at a time.
  /// - Returns: The activation of the source, with which to invalidate it. Dropping it without `invalidate()` traps.
  public static func replacing(
    on queue: DispatchQueue, label: StaticString = "replacing",
    onEvent: @escaping @Sendable (ReplacedData) -> Void
  ) -> Activation<ActivatedSource> {
    activate(.replacing(on: queue, label: label), onEvent)
  }
}
