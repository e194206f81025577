/// What an event of an `ActivatedSource` says; its type is also what kind of source it is.
///
/// The kinds that there are: `TimerEvent`, `ReadEvent`, `WriteEvent`, `SignalEvent`, and, for data that the program itself
/// hands in, `AddedData`, `CombinedData`, `ReplacedData`.
public protocol SourceEvent: Sendable {
  /// Makes an event.
  ///
  /// - Parameter data: What libdispatch has gathered since the event before.
  init(data: UInt)

  /// Makes one event of two, where the receiver has seen neither.
  ///
  /// - Parameter later: The second one.
  mutating func coalesce(_ later: Self)
}

/// A timer has fired.
public struct TimerEvent: SourceEvent, Equatable {
  /// How often it has fired since the event before; more than once where the handler was not ready in time.
  public var count: UInt

  /// Makes an event of what libdispatch has gathered.
  public init(data: UInt) { count = data }

  /// Makes one event of this and a later one.
  public mutating func coalesce(_ later: TimerEvent) { count += later.count }
}

/// A descriptor can be read.
public struct ReadEvent: SourceEvent, Equatable {
  /// How many bytes can be read without waiting: an estimate, to be used for sizing a buffer and nothing else.
  ///
  /// At the end of a pipe or a connection it is 0.
  public var byteCount: UInt

  /// Makes an event of what libdispatch has gathered.
  public init(data: UInt) { byteCount = data }

  /// Makes one event of this and a later one.
  public mutating func coalesce(_ later: ReadEvent) { self = later }
}

/// A descriptor can be written.
public struct WriteEvent: SourceEvent, Equatable {
  /// How many bytes can be written without waiting: an estimate.
  public var byteCount: UInt

  /// Makes an event of what libdispatch has gathered.
  public init(data: UInt) { byteCount = data }

  /// Makes one event of this and a later one.
  public mutating func coalesce(_ later: WriteEvent) { self = later }
}

/// A signal has come.
public struct SignalEvent: SourceEvent, Equatable {
  /// How often it has come since the event before, as far as the system tells them apart.
  public var count: UInt

  /// Makes an event of what libdispatch has gathered.
  public init(data: UInt) { count = data }

  /// Makes one event of this and a later one.
  public mutating func coalesce(_ later: SignalEvent) { count += later.count }
}

/// Numbers were added.
public struct AddedData: SourceEvent, Equatable {
  /// The sum of all that were added since the event before; it wraps around.
  public var sum: UInt

  /// Makes an event of what libdispatch has gathered.
  public init(data: UInt) { sum = data }

  /// Makes one event of this and a later one.
  public mutating func coalesce(_ later: AddedData) { sum &+= later.sum }
}

/// Bits were set.
public struct CombinedData: SourceEvent, Equatable {
  /// All that were set since the event before.
  public var bits: UInt

  /// Makes an event of what libdispatch has gathered.
  public init(data: UInt) { bits = data }

  /// Makes one event of this and a later one.
  public mutating func coalesce(_ later: CombinedData) { bits |= later.bits }
}

/// A number was replaced.
public struct ReplacedData: SourceEvent, Equatable {
  /// The last one.
  public var value: UInt

  /// Makes an event of what libdispatch has gathered.
  public init(data: UInt) { value = data }

  /// Makes one event of this and a later one.
  public mutating func coalesce(_ later: ReplacedData) { self = later }
}
