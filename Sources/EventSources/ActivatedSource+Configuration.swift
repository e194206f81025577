internal import CInterlock
public import Dispatch
internal import InterlockCore

extension ActivatedSource {
  /// The configuration of a source: the events that it reports, the queue of its handlers, and the handlers.
  ///
  /// Make one with the function for the kind of event, such as `timer(after:every:leeway:on:label:)`.
  public struct Configuration: Sendable {
    let label: StaticString
    let queue: DispatchQueue
    /// The file descriptor that the source closes when it ends; `nil` if it closes none.
    let ownedDescriptor: Int32?
    /// The signal that the source watches for.
    let signal: WatchedSignal?
    /// Makes the dispatch source for a queue, and for a read or write source its `WatchedDescriptor`.
    let makeSource: @Sendable (DispatchQueue) -> (any DispatchSourceProtocol, WatchedDescriptor?)

    /// Handles an event, on the source's queue; called for one event at a time, even on a concurrent queue.
    public var onEvent: (@Sendable (Event) -> Void)?

    /// Runs once on the source's queue, after the last event.
    ///
    /// A descriptor that the source owns is closed right after this handler.
    public var onCancel: (@Sendable () -> Void)?

    /// The mailbox from which a task awaits events; `nil` until `makeEvents()` is called.
    private(set) var mailbox: EventMailbox<Event>?

    /// Configures a source without a descriptor.
    fileprivate init(
      label: StaticString, queue: DispatchQueue, signal: WatchedSignal? = nil,
      makeSource: @escaping @Sendable (DispatchQueue) -> any DispatchSourceProtocol
    ) {
      self.label = label
      self.queue = queue
      ownedDescriptor = nil
      self.signal = signal
      self.makeSource = { (makeSource($0), nil) }
    }

    /// Configures a source that watches a descriptor, and traps if the descriptor is negative.
    fileprivate init(
      _ descriptor: Int32, for direction: WatchedDescriptor.Direction, closesDescriptor: Bool,
      label: StaticString, queue: DispatchQueue
    ) {
      if descriptor < 0 {
        misuse(
          "ActivatedSource \"\(label)\"", "the descriptor \(descriptor) is negative",
          "look at the result of the call that should have opened it")
      }
      self.label = label
      self.queue = queue
      ownedDescriptor = closesDescriptor ? descriptor : nil
      signal = nil
      makeSource = { queue in
        let watched = WatchedDescriptor(descriptor, for: direction, label: label)
        return (watched.makeSource(queue), watched)
      }
    }

    /// Makes a sequence of the events, for one task to await.
    ///
    /// If `onEvent` is set, that handler gets the events too. Calling this twice traps, and so does a second source
    /// that is made from the configuration or a copy of it.
    ///
    /// - Returns: The sequence, see `SourceEvents`.
    public mutating func makeEvents() -> SourceEvents<Event> {
      if mailbox != nil {
        misuse(
          "ActivatedSource \"\(label)\"", "asked for its events twice",
          "let one task await them, and pass them on")
      }
      let mailbox = EventMailbox<Event>(label: label)
      self.mailbox = mailbox
      return SourceEvents(mailbox: mailbox)
    }
  }
}

// MARK: Timers

extension ActivatedSource.Configuration where Event == TimerEvent {
  /// Configures a source that reports when its timer fires.
  ///
  /// The timer uses the monotonic clock, which stops while the machine sleeps.
  ///
  /// - Parameters:
  ///   - delay: The time from activation to the first event. A negative delay traps.
  ///   - interval: The time between later events; `nil` for a timer that fires once. An interval that is not
  ///     positive traps.
  ///   - leeway: The time by which the system may delay an event in order to save power. A negative leeway
  ///     traps.
  ///   - queue: The queue of the handlers.
  ///   - label: The name of the source in messages about misuse.
  public static func timer(
    after delay: Duration, every interval: Duration? = nil, leeway: Duration = .zero, on queue: DispatchQueue,
    label: StaticString = "timer"
  ) -> Self {
    func check(_ isValid: Bool, _ done: @autoclosure () -> String, _ instead: String) {
      if !isValid { misuse("ActivatedSource \"\(label)\"", done(), instead) }
    }
    if let interval {
      check(
        interval > .zero, "an interval of \(text(of: interval)) is not positive",
        "pass a positive one, or none for a timer that fires once"
      )
    }
    check(delay >= .zero, "a delay of \(text(of: delay)) is negative", "pass one of zero or more")
    check(leeway >= .zero, "a leeway of \(text(of: leeway)) is negative", "pass one of zero or more")
    return Self(label: label, queue: queue) { queue in
      let timer = DispatchSource.makeTimerSource(flags: leeway == .zero ? .strict : [], queue: queue)
      timer.schedule(
        deadline: .now() + DispatchTimeInterval(delay),
        repeating: interval.map { DispatchTimeInterval($0) } ?? .never, leeway: DispatchTimeInterval(leeway))
      return timer
    }
  }

  /// Configures a source that reports when its timer fires, for the first time one interval after the activation.
  ///
  /// The timer uses the monotonic clock, which stops while the machine sleeps.
  ///
  /// - Parameters:
  ///   - interval: The time before each event. An interval that is not positive traps.
  ///   - leeway: The time by which the system may delay an event in order to save power. A negative leeway
  ///     traps.
  ///   - queue: The queue of the handlers.
  ///   - label: The name of the source in messages about misuse.
  public static func timer(
    every interval: Duration, leeway: Duration = .zero, on queue: DispatchQueue, label: StaticString = "timer"
  ) -> Self {
    timer(after: interval, every: interval, leeway: leeway, on: queue, label: label)
  }
}

extension DispatchTimeInterval {
  /// Converts a nonnegative duration to nanoseconds, rounded up.
  ///
  /// A duration that is too long for `Int` nanoseconds becomes `never`.
  init(_ duration: Duration) {
    let end = Deadline(after: duration, from: 0)
    self = end == .never ? .never : .nanoseconds(Int(end.nanoseconds))
  }
}

// MARK: Descriptors

extension ActivatedSource.Configuration where Event == ReadEvent {
  /// Configures a source that reports when its descriptor can be read.
  ///
  /// Events repeat while there is data to read, so the handler must read. When the other end of a pipe or a
  /// connection has been closed, events continue until all data has been read. The next event has a
  /// `byteCount` of 0, and its handler should invalidate the source.
  ///
  /// A stream socket must be connected, or listen, before the activation: Linux says until then that its other end has
  /// been closed, and nothing is reported after that event.
  ///
  /// On Linux an active source uses one more descriptor. Activation traps if the process may open no further
  /// one.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor to read. A negative one traps. It must stay open until the cancel handler
  ///     has run.
  ///   - closesDescriptor: Whether the source owns the descriptor. The source closes an owned descriptor on
  ///     its queue, after the cancel handler, and traps if other code has already closed it. Two sources
  ///     can't own one descriptor: duplicate it.
  ///   - queue: The queue of the handlers.
  ///   - label: The name of the source in messages about misuse.
  public static func reading(
    _ descriptor: Int32, closesDescriptor: Bool = true, on queue: DispatchQueue,
    label: StaticString = "reading"
  ) -> Self {
    Self(descriptor, for: .reading, closesDescriptor: closesDescriptor, label: label, queue: queue)
  }
}

extension ActivatedSource.Configuration where Event == WriteEvent {
  /// Configures a source that reports when its descriptor can be written.
  ///
  /// Events repeat while the descriptor can take data, so suspend the source when there is nothing to
  /// write. Events also repeat after the other end of a pipe or a connection has been closed. When a write
  /// fails for this reason, invalidate the source.
  ///
  /// On Linux an active source uses one more descriptor. Activation traps if the process may open no further
  /// one.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor to write. A negative one traps. It must stay open until the cancel
  ///     handler has run.
  ///   - closesDescriptor: Whether the source owns the descriptor. The source closes an owned descriptor on
  ///     its queue, after the cancel handler, and traps if other code has already closed it. Two sources
  ///     can't own one descriptor: duplicate it.
  ///   - queue: The queue of the handlers.
  ///   - label: The name of the source in messages about misuse.
  public static func writing(
    _ descriptor: Int32, closesDescriptor: Bool = true, on queue: DispatchQueue,
    label: StaticString = "writing"
  ) -> Self {
    Self(descriptor, for: .writing, closesDescriptor: closesDescriptor, label: label, queue: queue)
  }
}

// MARK: Signals

extension ActivatedSource.Configuration where Event == SignalEvent {
  /// Configures a source that reports a signal to the process.
  ///
  /// On Linux the signal's action is replaced until `invalidate()`, which restores it. On Darwin the process still takes the
  /// action: if it would end the process, call `signal(number, SIG_IGN)` before the activation. After `invalidate()` the
  /// process then still ignores the signal, unless the program calls `signal(number, SIG_DFL)`. An action that the program
  /// sets meanwhile stays, and on Linux no further signal is reported. No dispatch source of the program's own may watch
  /// for the same signal.
  ///
  /// The system begins to watch for the signal shortly after `activate()` has returned, on a thread of
  /// libdispatch. A signal that arrives earlier is not reported, and the program can't find out when
  /// watching has begun. So activate the source well before anything can send the signal, for example
  /// before starting a child process.
  ///
  /// - Parameters:
  ///   - number: The signal's number. One that no signal has traps.
  ///   - queue: The queue of the handlers.
  ///   - label: The name of the source in messages about misuse.
  public static func signal(
    _ number: Int32, on queue: DispatchQueue, label: StaticString = "signal"
  ) -> Self {
    if !interlock_is_signal(number) {
      misuse("ActivatedSource \"\(label)\"", "there is no signal \(number)", "pass one such as SIGINT")
    }
    return Self(label: label, queue: queue, signal: WatchedSignal(number: number)) { queue in
      DispatchSource.makeSignalSource(signal: number, queue: queue)
    }
  }
}

// MARK: User data

extension ActivatedSource.Configuration where Event == AddedData {
  /// Configures a source that reports the sum of the numbers passed to `add(_:)` since the last event.
  ///
  /// - Parameters:
  ///   - queue: The queue of the handlers.
  ///   - label: The name of the source in messages about misuse.
  public static func adding(on queue: DispatchQueue, label: StaticString = "adding") -> Self {
    Self(label: label, queue: queue) { DispatchSource.makeUserDataAddSource(queue: $0) }
  }
}

extension ActivatedSource.Configuration where Event == CombinedData {
  /// Configures a source that reports the bits set by `combine(_:)` since the last event.
  ///
  /// - Parameters:
  ///   - queue: The queue of the handlers.
  ///   - label: The name of the source in messages about misuse.
  public static func combining(on queue: DispatchQueue, label: StaticString = "combining") -> Self {
    Self(label: label, queue: queue) { DispatchSource.makeUserDataOrSource(queue: $0) }
  }
}

extension ActivatedSource.Configuration where Event == ReplacedData {
  /// Configures a source that reports the last number passed to `replace(_:)`.
  ///
  /// - Parameters:
  ///   - queue: The queue of the handlers.
  ///   - label: The name of the source in messages about misuse.
  public static func replacing(on queue: DispatchQueue, label: StaticString = "replacing") -> Self {
    Self(label: label, queue: queue) { DispatchSource.makeUserDataReplaceSource(queue: $0) }
  }
}
