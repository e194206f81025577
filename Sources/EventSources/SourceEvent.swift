/// An event of an `ActivatedSource`.
///
/// The event's type determines the kind of source.
///
/// The kinds are `TimerEvent`, `ReadEvent`, `WriteEvent`, `SignalEvent`, and, for data that the program
/// passes in, `AddedData`, `CombinedData` and `ReplacedData`.
public protocol SourceEvent: Sendable {
  /// Makes an event.
  ///
  /// - Parameter data: The data collected since the last event. Its meaning depends on the kind of source: a
  ///   count of timer firings or signals, an estimated number of bytes, or user data.
  init(data: UInt)

  /// Combines this event with a later one, when neither has been received.
  ///
  /// - Parameter later: The later event.
  mutating func coalesce(_ later: Self)
}

/// A timer has fired.
public struct TimerEvent: SourceEvent, Equatable {
  /// The number of times that the timer has fired since the last event.
  ///
  /// It exceeds 1 if the timer fired again before its last firing was handled.
  public var count: UInt

  /// Makes an event that reports `data` firings of the timer.
  public init(data: UInt) { count = data }

  /// Adds the count of a later event to that of this event.
  public mutating func coalesce(_ later: TimerEvent) { count += later.count }
}

/// A descriptor can be read.
public struct ReadEvent: SourceEvent, Equatable {
  /// An estimate of the number of bytes that can be read without waiting.
  ///
  /// Use it only for the size of a buffer.
  ///
  /// At the end of a pipe or a connection it is 0. It is also 0 when the next datagram of a socket is empty, so
  /// for a datagram socket 0 does not mean the end.
  public var byteCount: UInt

  /// Makes an event that estimates that `data` bytes can be read.
  public init(data: UInt) { byteCount = data }

  /// Replaces this event with a later one, whose estimate is newer.
  public mutating func coalesce(_ later: ReadEvent) { self = later }
}

/// A descriptor can be written.
public struct WriteEvent: SourceEvent, Equatable {
  /// An estimate of the number of bytes that can be written without waiting.
  ///
  /// On Linux it is the free part of a socket's send buffer, or 1 if nothing is free or the descriptor is
  /// something else, such as a pipe.
  public var byteCount: UInt

  /// Makes an event that estimates that `data` bytes can be written.
  public init(data: UInt) { byteCount = data }

  /// Replaces this event with a later one, whose estimate is newer.
  public mutating func coalesce(_ later: WriteEvent) { self = later }
}

/// A signal was received.
public struct SignalEvent: SourceEvent, Equatable {
  /// The number of times that the signal was received since the last event.
  ///
  /// It can be less than the number of signals that were sent, because the system merges pending signals.
  public var count: UInt

  /// Makes an event that reports that the signal was received `data` times.
  public init(data: UInt) { count = data }

  /// Adds the count of a later event to that of this event.
  public mutating func coalesce(_ later: SignalEvent) { count += later.count }
}

/// Numbers were added.
public struct AddedData: SourceEvent, Equatable {
  /// The sum of all numbers that were added since the last event; it wraps around.
  public var sum: UInt

  /// Makes an event that reports the sum `data`.
  public init(data: UInt) { sum = data }

  /// Adds the sum of a later event to that of this event, wrapping around.
  public mutating func coalesce(_ later: AddedData) { sum &+= later.sum }
}

/// Bits were set.
public struct CombinedData: SourceEvent, Equatable {
  /// All bits that were set since the last event.
  public var bits: UInt

  /// Makes an event that reports the bits of `data`.
  public init(data: UInt) { bits = data }

  /// Adds the bits of a later event to those of this event.
  public mutating func coalesce(_ later: CombinedData) { bits |= later.bits }
}

/// A number was replaced.
public struct ReplacedData: SourceEvent, Equatable {
  /// The number that was passed to the last `replace(_:)`.
  public var value: UInt

  /// Makes an event that reports the number `data`.
  public init(data: UInt) { value = data }

  /// Replaces this event with a later one, whose value is newer.
  public mutating func coalesce(_ later: ReplacedData) { self = later }
}
