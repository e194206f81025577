// Completion lists and the reference leave out names with an underscore, such as what the types of events share.
// swift-format-ignore-file: NoLeadingUnderscores, AllPublicDeclarationsHaveDocumentation

/// An event of an `ActivatedSource`.
///
/// The event's type determines the kind of source. The kinds are `TimerEvent`, `ReadEvent`, `WriteEvent`, `SignalEvent`,
/// and, for data that the program passes in, `AddedData`, `CombinedData` and `ReplacedData`. There are no others, and
/// only sources make events.
public protocol SourceEvent: Sendable {
  // A client can't make the value that this asks for, so its types can't conform.
  static var _kind: _SourceEventKind<Self> { get }
}

/// How a source makes and combines its events.
public struct _SourceEventKind<Event>: Sendable {
  /// Makes an event of the data collected since the last one: a count of timer firings or signals, an estimated
  /// number of bytes, or user data.
  let make: @Sendable (UInt) -> Event
  /// Combines an event with a later one, when neither has been received.
  let coalesce: @Sendable (inout Event, _ later: Event) -> Void
}

extension SourceEvent {
  init(data: UInt) { self = Self._kind.make(data) }

  mutating func coalesce(_ later: Self) { Self._kind.coalesce(&self, later) }
}

/// A timer has fired.
public struct TimerEvent: SourceEvent, Equatable {
  /// The number of times that the timer has fired since the last event.
  ///
  /// It exceeds 1 if the timer fired again before its last firing was handled.
  public internal(set) var count: UInt

  public static var _kind: _SourceEventKind<TimerEvent> {
    _SourceEventKind {
      TimerEvent(count: $0)
    } coalesce: {
      $0.count += $1.count
    }
  }
}

/// A descriptor can be read.
public struct ReadEvent: SourceEvent, Equatable {
  /// An estimate of the number of bytes that can be read without waiting.
  ///
  /// Use it only for the size of a buffer.
  ///
  /// At the end of a pipe or a connection it is 0. It is also 0 when the next datagram of a socket is empty, so
  /// for a datagram socket 0 does not mean the end.
  public internal(set) var byteCount: UInt

  public static var _kind: _SourceEventKind<ReadEvent> {
    // The later estimate is the newer one.
    _SourceEventKind {
      ReadEvent(byteCount: $0)
    } coalesce: {
      $0 = $1
    }
  }
}

/// A descriptor can be written.
public struct WriteEvent: SourceEvent, Equatable {
  /// An estimate of the number of bytes that can be written without waiting.
  ///
  /// On Linux it is the free part of a socket's send buffer, or 1 if nothing is free or the descriptor is
  /// something else, such as a pipe.
  public internal(set) var byteCount: UInt

  public static var _kind: _SourceEventKind<WriteEvent> {
    // The later estimate is the newer one.
    _SourceEventKind {
      WriteEvent(byteCount: $0)
    } coalesce: {
      $0 = $1
    }
  }
}

/// A signal was received.
public struct SignalEvent: SourceEvent, Equatable {
  /// The number of times that the signal was received since the last event.
  ///
  /// It can be less than the number of signals that were sent, because the system merges pending signals.
  public internal(set) var count: UInt

  public static var _kind: _SourceEventKind<SignalEvent> {
    _SourceEventKind {
      SignalEvent(count: $0)
    } coalesce: {
      $0.count += $1.count
    }
  }
}

/// Numbers were added.
public struct AddedData: SourceEvent, Equatable {
  /// The sum of all numbers that were added since the last event; it wraps around.
  public internal(set) var sum: UInt

  public static var _kind: _SourceEventKind<AddedData> {
    _SourceEventKind {
      AddedData(sum: $0)
    } coalesce: {
      $0.sum &+= $1.sum
    }
  }
}

/// Bits were set.
public struct CombinedData: SourceEvent, Equatable {
  /// All bits that were set since the last event.
  public internal(set) var bits: UInt

  public static var _kind: _SourceEventKind<CombinedData> {
    _SourceEventKind {
      CombinedData(bits: $0)
    } coalesce: {
      $0.bits |= $1.bits
    }
  }
}

/// A number was replaced.
public struct ReplacedData: SourceEvent, Equatable {
  /// The number that was passed to the last `replace(_:)`.
  public internal(set) var value: UInt

  public static var _kind: _SourceEventKind<ReplacedData> {
    _SourceEventKind {
      ReplacedData(value: $0)
    } coalesce: {
      $0 = $1
    }
  }
}
