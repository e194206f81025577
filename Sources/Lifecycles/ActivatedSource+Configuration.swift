public import Dispatch
internal import PlatformLocks

extension ActivatedSource {
  /// What a source is made of: which events it waits for, where its handlers run, and the handlers.
  ///
  /// It is made by the function for its kind, such as `timer(after:every:leeway:on:label:)`.
  public struct Configuration: Sendable {
    let label: StaticString
    let queue: DispatchQueue
    /// The descriptor that the source owns.
    let ownedDescriptor: Int32?
    /// The descriptor that the source reads, and whose hang-up it looks for.
    let hangUp: HangUp?
    let makeSource: @Sendable (DispatchQueue) -> any DispatchSourceProtocol

    /// What to do with an event, on the source's queue; one at a time.
    public var onEvent: (@Sendable (Event) -> Void)?

    /// What to do when no event will come any more, once, on the source's queue.
    ///
    /// A descriptor that the source owns is closed right after it.
    public var onCancel: (@Sendable () -> Void)?

    /// Where events go that a task awaits.
    private(set) var mailbox: EventMailbox<Event>?

    fileprivate init(
      label: StaticString, queue: DispatchQueue, ownedDescriptor: Int32? = nil, hangUp: HangUp? = nil,
      makeSource: @escaping @Sendable (DispatchQueue) -> any DispatchSourceProtocol
    ) {
      self.label = label
      self.queue = queue
      self.ownedDescriptor = ownedDescriptor
      self.hangUp = hangUp
      self.makeSource = makeSource
    }

    /// The events as a sequence, for one task to await; `onEvent`, where it is set, gets them too.
    ///
    /// Calling it twice traps.
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
  /// A timer on the monotonic clock, which stands still while the machine sleeps.
  ///
  /// - Parameters:
  ///   - delay: How long after its activation it fires first; a negative one traps.
  ///   - interval: How long after that it fires again, and again; `nil` for never. One that is not positive traps.
  ///   - leeway: By how much the system may delay it in order to save power; a negative one traps.
  ///   - queue: Where the handlers run.
  ///   - label: What messages about misuse name.
  public static func timer(
    after delay: Duration, every interval: Duration? = nil, leeway: Duration = .zero, on queue: DispatchQueue,
    label: StaticString = "timer"
  ) -> Self {
    func check(_ isValid: Bool, _ done: @autoclosure () -> String, _ instead: String) {
      if !isValid { misuse("ActivatedSource \"\(label)\"", done(), instead) }
    }
    check(delay >= .zero, "a delay of \(delay) is negative", "pass one of zero or more")
    if let interval {
      check(
        interval > .zero, "an interval of \(interval) is not positive", "pass nil for a timer that fires once"
      )
    }
    check(leeway >= .zero, "a leeway of \(leeway) is negative", "pass one of zero or more")
    return Self(label: label, queue: queue) { queue in
      let timer = DispatchSource.makeTimerSource(flags: leeway == .zero ? .strict : [], queue: queue)
      timer.schedule(
        deadline: .now() + DispatchTimeInterval(delay),
        repeating: interval.map { DispatchTimeInterval($0) } ?? .never, leeway: DispatchTimeInterval(leeway))
      return timer
    }
  }
}

extension DispatchTimeInterval {
  /// A duration that is not negative, in nanoseconds, rounded up; what can't be represented never ends.
  fileprivate init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = Int(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let (total, totalOverflow) = whole.addingReportingOverflow(
      Int((attoseconds + 999_999_999) / 1_000_000_000))
    self = overflow || totalOverflow ? .never : .nanoseconds(total)
  }
}

// MARK: Descriptors

extension ActivatedSource.Configuration where Event == ReadEvent {
  /// Events of a descriptor that can be read.
  ///
  /// They repeat for as long as there is something to read: the handler has to read. When the other side has closed a pipe
  /// or a connection, they go on until everything has been read, and then comes one with a `byteCount` of 0: invalidate the
  /// source then.
  ///
  /// - Parameters:
  ///   - descriptor: What to read; a negative one traps. It must stay open until the cancel handler has run.
  ///   - closesDescriptor: Whether the source owns it, and closes it when it is cancelled, on its queue, after the cancel
  ///     handler; if it has been closed already, that traps. Two sources can't own one descriptor: duplicate it.
  ///   - queue: Where the handlers run.
  ///   - label: What messages about misuse name.
  public static func reading(
    _ descriptor: Int32, closesDescriptor: Bool = true, on queue: DispatchQueue,
    label: StaticString = "reading"
  ) -> Self {
    checkDescriptor(descriptor, label)
    // Events after a hang-up are put on the queue one by one, and must not run beside others on a concurrent one.
    let serial = DispatchQueue(label: "ActivatedSource", target: queue)
    return Self(
      label: label, queue: serial, ownedDescriptor: closesDescriptor ? descriptor : nil,
      hangUp: HangUp(descriptor: descriptor)
    ) { queue in
      DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    }
  }
}

extension ActivatedSource.Configuration where Event == WriteEvent {
  /// Events of a descriptor that can be written.
  ///
  /// They repeat for as long as there is room: suspend the source when there is nothing to write.
  ///
  /// - Parameters:
  ///   - descriptor: What to write; a negative one traps. It must stay open until the cancel handler has run.
  ///   - closesDescriptor: Whether the source owns it, and closes it when it is cancelled, on its queue, after the cancel
  ///     handler; if it has been closed already, that traps. Two sources can't own one descriptor: duplicate it.
  ///   - queue: Where the handlers run.
  ///   - label: What messages about misuse name.
  public static func writing(
    _ descriptor: Int32, closesDescriptor: Bool = true, on queue: DispatchQueue,
    label: StaticString = "writing"
  ) -> Self {
    checkDescriptor(descriptor, label)
    return Self(label: label, queue: queue, ownedDescriptor: closesDescriptor ? descriptor : nil) { queue in
      DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
    }
  }
}

private func checkDescriptor(_ descriptor: Int32, _ label: StaticString) {
  if descriptor < 0 {
    misuse(
      "ActivatedSource \"\(label)\"", "the descriptor \(descriptor) is negative",
      "look at the result of the call that should have opened it")
  }
}

// MARK: Signals

extension ActivatedSource.Configuration where Event == SignalEvent {
  /// Events of a signal to the process.
  ///
  /// The signal's own action still takes place: `signal(number, SIG_IGN)` first keeps it from ending the process.
  ///
  /// The system begins to watch for the signal shortly after `activate()` has returned, on a thread of libdispatch. A signal that
  /// comes before that has its own action and makes no event. Nothing tells when that time is over, so activate the source
  /// before anybody has a reason to send the signal: before a child process is started, for instance.
  ///
  /// - Parameters:
  ///   - number: Which signal; one that is not positive traps.
  ///   - queue: Where the handlers run.
  ///   - label: What messages about misuse name.
  public static func signal(
    _ number: Int32, on queue: DispatchQueue, label: StaticString = "signal"
  ) -> Self {
    if number <= 0 {
      misuse("ActivatedSource \"\(label)\"", "there is no signal \(number)", "pass one such as SIGINT")
    }
    return Self(label: label, queue: queue) { queue in
      DispatchSource.makeSignalSource(signal: number, queue: queue)
    }
  }
}

// MARK: User data

extension ActivatedSource.Configuration where Event == AddedData {
  /// Events of numbers that `add(_:)` adds up.
  ///
  /// - Parameters:
  ///   - queue: Where the handlers run.
  ///   - label: What messages about misuse name.
  public static func adding(on queue: DispatchQueue, label: StaticString = "adding") -> Self {
    Self(label: label, queue: queue) { DispatchSource.makeUserDataAddSource(queue: $0) }
  }
}

extension ActivatedSource.Configuration where Event == CombinedData {
  /// Events of bits that `combine(_:)` sets.
  ///
  /// - Parameters:
  ///   - queue: Where the handlers run.
  ///   - label: What messages about misuse name.
  public static func combining(on queue: DispatchQueue, label: StaticString = "combining") -> Self {
    Self(label: label, queue: queue) { DispatchSource.makeUserDataOrSource(queue: $0) }
  }
}

extension ActivatedSource.Configuration where Event == ReplacedData {
  /// Events of a number that `replace(_:)` replaces.
  ///
  /// - Parameters:
  ///   - queue: Where the handlers run.
  ///   - label: What messages about misuse name.
  public static func replacing(on queue: DispatchQueue, label: StaticString = "replacing") -> Self {
    Self(label: label, queue: queue) { DispatchSource.makeUserDataReplaceSource(queue: $0) }
  }
}
