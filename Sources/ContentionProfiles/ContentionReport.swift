internal import LockSupport

/// A report of recorded waits: which code waited for which lock, for how long, and which code released it.
///
/// Locks and events are sorted by their total waiting time, longest first. The sites of each are sorted by
/// `blocked`, so that the function that held the lock for longest comes first.
public struct ContentionReport: Sendable {
  /// Something that threads waited for: a lock, an initialiser or an event (see `events`).
  public struct Source: Sendable {
    /// The type: `UnfairLock`, for example.
    public let primitive: String

    /// The address of the lock; `nil` for several locks that are counted together, because the profile's
    /// memory of fixed size was full.
    ///
    /// A lock at the address of an earlier lock counts as that lock.
    public let address: UInt?

    /// The label and the source line; `nil` if they are not known.
    let origin: String?

    /// The waits, grouped by the functions that waited and the functions that released the lock.
    public let sites: [Site]

    /// The text that identifies the lock in reports: its type, its address, and its label and the line of
    /// source that makes it.
    ///
    /// Labels and lines are known only with the trait `DeadlockDetection`, and only if a thread has waited
    /// without a timeout.
    public var name: String {
      guard let address else { return "other locks: \(primitive)" }
      return "\(primitive) 0x" + String(address, radix: 16) + (origin.map { " " + $0 } ?? "")
    }

    /// The number of waits.
    public var waits: Int { sites.reduce(0) { $0 + $1.waits } }

    /// The time of all waits.
    public var total: Duration { sites.reduce(.zero) { $0 + $1.total } }

    /// How long the lock was held while threads waited for it; see `Site.blocked`.
    public var blocked: Duration { sites.reduce(.zero) { $0 + $1.blocked } }
  }

  /// The purpose of a wait.
  public enum Purpose: String, Sendable, CaseIterable {
    /// The thread waited for a lock that has one holder at a time.
    case exclusiveAccess
    /// The thread waited to acquire a read/write lock for reading.
    case reading
    /// The thread waited to acquire a read/write lock for writing.
    case writing
    /// The thread waited for the result of a closure that another thread was running.
    case initialization
    /// The thread waited in `waitingUntil` for a value that fulfils a predicate.
    case predicate
    /// The thread waited until running bodies of `Lifecycle.whileActive`, or of `activate`, had ended.
    case completion

    /// Whether the thread waited because another thread held a lock or ran an initialiser.
    ///
    /// It is `false` if the program meant to sleep: until a predicate holds, or until bodies of
    /// `Lifecycle.whileActive` or `activate` have ended.
    public var isContention: Bool { self != .predicate && self != .completion }
  }

  /// The waits at one `Source` for the same purpose, with the same waiting functions and the same releasing
  /// functions.
  ///
  /// The stacks are those of one of these waits. In the others, the same functions may have other return
  /// addresses.
  public struct Site: Sendable {
    /// The purpose for which the threads waited.
    public let purpose: Purpose

    /// Where the threads waited.
    public let waiter: Stack

    /// The stack that released the lock, or that made the awaited change; `nil` if it is not known.
    ///
    /// If several threads released the lock before the wait ended, this is the one that held it for longest.
    /// Releases before the end of another wait count for that wait.
    public let releaser: Stack?

    /// The number of waits.
    public let waits: Int

    /// The time of all waits, from a thread's arrival until it had the lock or gave up.
    public let total: Duration

    /// The median of the waiting times, with an error of at most 6 %.
    public let median: Duration

    /// The 99th percentile of the waiting times, with an error of at most 6 %.
    public let percentile99: Duration

    /// The longest wait.
    public let longest: Duration

    /// The part of the lock's blocked time that is assigned to the waits of this site.
    ///
    /// A lock is blocked while it is held and at least one thread waits for it. When the lock is released,
    /// the blocked time since the previous release is assigned to one wait: the wait that ends next. So no
    /// moment counts twice, even if several threads wait.
    public let blocked: Duration

    /// The longest time that a single wait has added to `blocked`.
    public let longestBlocked: Duration
  }

  /// A call stack: functions that called one another, innermost first.
  public struct Stack: Sendable {
    /// All frames, including those of this package.
    public let frames: [Frame]

    /// The frames of the program's own functions.
    public var clientFrames: [Frame] { frames.filter { !$0.isInternal } }

    /// The name of the function that used the lock.
    public var function: String { frames.first { !$0.isInternal }?.function ?? frames.first?.function ?? "?" }
  }

  /// A function on a stack.
  public struct Frame: Sendable {
    /// The return address in this function: the function continues there after the call that it made.
    public let address: UInt

    /// The name, short and readable; the address if the program's symbols don't have it.
    ///
    /// The file and the line are not known: to find them, the system needs a debugger's library.
    /// The compiler may have inlined other functions into this one. They have no frames of their own.
    /// A name that begins with `merged` stands for several functions with the same machine code.
    public let function: String

    /// The file that has the code.
    public let image: String?

    /// Whether the function belongs to this package or to Swift's runtime, or is a thunk that the compiler has
    /// added.
    public let isInternal: Bool
  }

  /// The duration of the recording.
  public let duration: Duration

  /// The locks and initialisers that threads contended for.
  public let locks: [Source]

  /// The events that threads waited for on purpose: a predicate of `waitingUntil`, or the end of bodies of
  /// `Lifecycle.whileActive` or `activate`.
  public let events: [Source]

  /// The number of waits that are in neither `locks` nor `events`, because the profile's memory of fixed size
  /// was full.
  public let lostWaits: Int

  /// The total time of the waits that `lostWaits` counts.
  ///
  /// `share(of:)` leaves these waits out, so its result is wrong by at most `lostTime / (total + lostTime)`.
  public let lostTime: Duration

  /// The total time of the waits for `locks`, without lost waits (see `lostWaits`).
  public var total: Duration { locks.reduce(.zero) { $0 + $1.total } }

  /// The number of waits for locks, without those that were lost.
  public var waits: Int { locks.reduce(0) { $0 + $1.waits } }

  /// The part of `total` that threads spent waiting for `source`, between 0 and 1.
  public func share(of source: Source) -> Double {
    total == .zero ? 0 : source.total / total
  }
}

extension ContentionReport {
  init(_ contents: Recorder.Contents, duration: Duration, _ symbols: inout Symbols) {
    struct Key: Hashable {
      var lock: UInt
      var primitive: String
      var isContention: Bool
    }
    /// Identifies waits that count together. They have the same purpose, the same waiting functions of the
    /// program and the same releasing functions. The return addresses in these functions may differ.
    struct Pair: Hashable {
      var purpose: Purpose
      var waiter: [String]
      var releaser: [String]
    }
    struct Waits {
      var waiter: Stack
      var releaser: Stack?
      var figures: WaitFigures
    }
    var waits: [Key: [Pair: Waits]] = [:]
    var origins: [Key: String] = [:]
    for entry in contents.entries where entry.figures.waits > 0 {
      let (primitive, purpose) = entry.site.description
      let key = Key(lock: entry.site.lock, primitive: primitive, isContention: purpose.isContention)
      if let origin = entry.site.primitive.origin { origins[key] = origin }
      let waiter = symbols.stack(entry.waiter)
      let releaser = entry.releaser.isEmpty ? nil : symbols.stack(entry.releaser)
      let pair = Pair(
        purpose: purpose, waiter: waiter.clientFrames.map(\.function),
        releaser: releaser?.clientFrames.map(\.function) ?? [])
      if waits[key]?[pair]?.figures.add(entry.figures) == nil {
        waits[key, default: [:]][pair] = Waits(waiter: waiter, releaser: releaser, figures: entry.figures)
      }
    }
    var sources = waits.map { key, pairs in
      Source(
        primitive: key.primitive, address: key.lock == 0 ? nil : key.lock &+ lockKeyOffset,
        origin: origins[key],
        sites: pairs.map { Site($0.purpose, $1.waiter, $1.releaser, $1.figures) }
          .sorted { ($1.blocked, $1.total) < ($0.blocked, $0.total) })
    }
    sources.sort { ($1.total, $0.address ?? 0) < ($0.total, $1.address ?? 0) }
    self.init(
      duration: duration, locks: sources.filter(\.isContention), events: sources.filter { !$0.isContention },
      lostWaits: Int(contents.lostWaits), lostTime: .nanoseconds(Int64(contents.lostTime)))
  }
}

extension ContentionReport.Site {
  fileprivate init(
    _ purpose: ContentionReport.Purpose, _ waiter: ContentionReport.Stack,
    _ releaser: ContentionReport.Stack?, _ figures: WaitFigures
  ) {
    self.init(
      purpose: purpose, waiter: waiter, releaser: releaser, waits: Int(figures.waits),
      total: .nanoseconds(Int64(figures.total)), median: figures.quantile(0.5),
      percentile99: figures.quantile(0.99), longest: .nanoseconds(Int64(figures.longest)),
      blocked: .nanoseconds(Int64(figures.blocked)),
      longestBlocked: .nanoseconds(Int64(figures.longestBlocked)))
  }
}

extension WaitFigures {
  /// The given quantile of the waiting times.
  ///
  /// The histogram is inexact, so its quantile may exceed the longest wait. Then the result is the longest
  /// wait.
  fileprivate func quantile(_ part: Double) -> Duration {
    .nanoseconds(Int64(min(Histogram.quantile(part, of: histogram), longest)))
  }
}

extension WaitSite {
  fileprivate var description: (primitive: String, purpose: ContentionReport.Purpose) {
    let kind = primitive.kind
    switch kind {
    case .once, .onceCell, .lazy: return (kind.name, .initialization)
    case .predicate: return ("waitingUntil", .predicate)
    case .lifecycle, .activation: return (PrimitiveKind.lifecycle.name, .completion)
    default:
      let access: ContentionReport.Purpose = mode == .read ? .reading : .writing
      return (kind.name, kind.sharesReads ? access : .exclusiveAccess)
    }
  }
}
