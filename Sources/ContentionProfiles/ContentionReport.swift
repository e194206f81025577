internal import InterlockCore

/// A report of recorded waits: which code waited for which lock, for how long, and which code released it.
///
/// Locks and events are sorted by their total waiting time, longest first. The sites of each lock or event
/// are sorted by `Waits.blocked`: the function that blocked others for longest comes first.
public struct ContentionReport: Sendable {
  /// Something that threads waited for: a lock, an initializer or an event (see `events`).
  public struct Source: Sendable {
    let primitive: String

    /// The address of the lock; `nil` for several locks that are counted together.
    let address: UInt?

    /// The number of locks that are counted together (see `name`); `nil` if it is not known, because there
    /// were too many combinations of a lock and stacks.
    let locks: Int?

    /// The names that the program has given to the lock, the lock's label, and the source line that makes the
    /// lock; `nil` if none of them is known.
    let origin: String?

    /// The waits, grouped by the functions that waited and the functions that released the lock.
    public let sites: [Site]

    init(primitive: String, address: UInt?, origin: String?, locks: Int? = 1, sites: [Site]) {
      self.primitive = primitive
      self.address = address
      self.locks = address == nil && locks == 1 ? nil : locks
      self.origin = origin
      self.sites = sites
    }

    /// The text that identifies the lock in reports.
    ///
    /// It has the type (`waitingUntil` for predicates), the address, the names that the program has given to the
    /// lock (see `ContentionProfile.name(_:_:)`), the label, and the source line that makes the lock. A lock at
    /// the address of an earlier lock counts as that lock. Labels and lines are known only with the trait
    /// `DeadlockDetection`, and only if a thread has waited without a timeout.
    ///
    /// Locks without a name of their own are counted together if there are at least eight with the same type,
    /// label and source line, for which the same function waited for longest: often short-lived ones that the
    /// same code makes. The text then has their number instead of the address.
    public var name: String {
      let origin = origin.map { " " + $0 } ?? ""
      if let address { return "\(primitive) 0x" + String(address, radix: 16) + origin }
      guard let locks else { return "other locks: \(primitive)" }
      return "\(locks) × \(primitive)" + origin
    }

    /// The waits at all sites.
    public var waits: Waits { Waits(sites.map(\.waits)) }
  }

  /// The number of waits that have ended, and their times.
  public struct Waits: Sendable {
    /// The number of waits.
    public internal(set) var count = 0

    /// The sum of the waiting times, each from the thread's arrival until it acquired the lock or gave up.
    public internal(set) var total = Duration.zero

    /// The longest wait.
    public internal(set) var longest = Duration.zero

    /// The part of the locks' blocked time that is assigned to these waits.
    ///
    /// A lock is blocked while it is held and at least one thread waits for it. When the lock is released,
    /// the blocked time since the previous release is assigned to the wait that ends next. No moment counts
    /// twice, even if several threads wait.
    public internal(set) var blocked = Duration.zero

    /// The longest time that a single wait has added to `blocked`.
    var longestBlocked = Duration.zero

    init(count: Int, total: Duration, longest: Duration, blocked: Duration, longestBlocked: Duration) {
      self.count = count
      self.total = total
      self.longest = longest
      self.blocked = blocked
      self.longestBlocked = longestBlocked
    }

    /// All waits of `parts`.
    init(_ parts: some Sequence<Waits>) {
      for part in parts { add(part) }
    }

    mutating func add(_ other: Waits) {
      count += other.count
      total += other.total
      longest = max(longest, other.longest)
      blocked += other.blocked
      longestBlocked = max(longestBlocked, other.longestBlocked)
    }
  }

  /// The purpose of a wait: to acquire a lock or permit, to get an initialized value, or to see an event.
  public enum Purpose: Sendable, CaseIterable {
    /// The thread waited for a lock that has one holder at a time.
    case exclusiveAccess
    /// The thread waited to acquire a read/write lock for reading.
    case reading
    /// The thread waited to acquire a read/write lock for writing.
    case writing
    /// The thread waited for the result of a closure that another thread was running.
    case initialization
    /// The task waited for a permit of an `AsyncSemaphore`.
    case permit
    /// The thread or task waited in `waitingUntil` for a value that fulfils a predicate.
    case predicate
    /// The thread waited until running bodies of `Lifecycle.whileActive`, or of `activate`, had ended.
    case completion

    /// Whether the wait was for a lock, a permit or a running initializer.
    ///
    /// It is `false` if the program meant to sleep: until a predicate holds, or until bodies of
    /// `Lifecycle.whileActive` or `activate` have ended.
    var isContention: Bool { self != .predicate && self != .completion }
  }

  /// The waits for one `Source` with the same purpose, the same waiting functions and the same releasing
  /// functions.
  public struct Site: Sendable {
    /// The purpose of the waits; waits with different purposes belong to different sites.
    public let purpose: Purpose

    let waitingStack: Stack

    let releasingStack: Stack?

    /// The functions that waited, innermost first.
    ///
    /// They are those of the program, without this package, Swift's runtime, hidden modules (see
    /// `ContentionProfile.report(hiding:)`), and thunks, which the compiler adds; all of them if nothing else is
    /// left. A function without a symbol is its return address in hexadecimal digits. Files and lines are not
    /// known, because finding them needs a debugger's library. Functions that the compiler has inlined into
    /// another one are missing. A name that begins with `merged` stands for several functions with the same
    /// machine code.
    public var waiter: [String] { waitingStack.functions }

    /// The functions that released the lock, or that made the awaited change, as in `waiter`; `nil` if they are
    /// not known.
    ///
    /// If the lock was released several times since the previous wait for it ended, they are those of the
    /// thread that held the lock for longest.
    public var releaser: [String]? { releasingStack?.functions }

    /// The waits at this site that have ended.
    public let waits: Waits

    /// The median of the waiting times, with a relative error of at most 1/16.
    public let median: Duration

    /// The 99th percentile of the waiting times, with a relative error of at most 1/16.
    public let percentile99: Duration
  }

  /// A call stack, as a list of frames, innermost first.
  struct Stack {
    let frames: [Frame]

    /// The frames of the program's own functions, without those of this package, of Swift's
    /// runtime and of hidden modules, and without thunks, which the compiler adds.
    var clientFrames: [Frame] { frames.filter { !$0.isInternal } }

    /// The names of the functions in `clientFrames`, or in `frames` if `clientFrames` is empty.
    var functions: [String] {
      (clientFrames.isEmpty ? frames : clientFrames).map(\.function)
    }

    /// The name of the innermost function in `functions`; `?` for an empty stack.
    var function: String { functions.first ?? "?" }
  }

  /// A function on a stack.
  struct Frame {
    /// The readable form of the function's symbol; the return address in hexadecimal digits if the program's
    /// symbols don't have it.
    let function: String

    /// Whether the frame is left out of `clientFrames`.
    let isInternal: Bool
  }

  /// A wait that had not ended when the report was made.
  public struct CurrentWait: Sendable {
    /// The text that identifies the lock; see `Source.name`.
    public let name: String

    /// The purpose of the wait.
    public let purpose: Purpose

    /// The waiting thread, with the system's number, or the waiting task, with its address.
    public let thread: String

    let waitingStack: Stack

    /// The functions that wait, as in `Site.waiter`.
    public var waiter: [String] { waitingStack.functions }

    /// The time that the thread or task has waited so far.
    public let duration: Duration

    /// The thread or task that holds the lock, or the number of readers; `nil` if the lock has no holder, or
    /// if the holder is not known.
    ///
    /// Holders are known for `UnfairLock`, `CompactReadWriteLock`, `BiasedReadWriteLock`, the protectors and
    /// properties with these locks, `Once`, `OnceCell`, `Lazy` and `AsyncMutex`. Readers are only counted,
    /// and not identified. On Darwin the owner of an `UnfairLock` is not known.
    public let holder: String?
  }

  /// The total time of recording since the last `ContentionProfile.start()`, without the pauses.
  public let duration: Duration

  /// The locks and initializers that threads contended for.
  public let locks: [Source]

  /// The events that threads waited for on purpose: a predicate of `waitingUntil`, or the end of bodies of
  /// `Lifecycle.whileActive` or `activate`.
  public let events: [Source]

  /// The waits that had not ended when the report was made, except those that began before the recording;
  /// empty after `ContentionProfile.stop()`.
  ///
  /// Waits for locks come before waits for events, and longer waits before shorter ones. `locks` and `events`
  /// do not contain these waits.
  public internal(set) var current: [CurrentWait] = []

  /// The number of ended waits that `lostTime` is about.
  let lostWaits: Int

  /// The total duration of the ended waits that are in neither `locks` nor `events`, because there were too many
  /// combinations of a lock and stacks; zero if none is missing.
  public let lostTime: Duration

  /// The waits for `locks`, without lost ones (see `lostTime`).
  public var waits: Waits { Waits(locks.map(\.waits)) }

  /// Returns the part of the waiting time that threads spent waiting for `source`, from 0 to 1; 0 if no
  /// thread waited.
  ///
  /// The waiting time is that of `waits`, and `lostTime`, so `source` must be one of `locks`. For an event,
  /// the result has no meaning.
  func part(of source: Source) -> Double {
    let all = waits.total + lostTime
    return all == .zero ? 0 : source.waits.total / all
  }

  /// A function that held locks while threads waited for them.
  struct Holder {
    let function: String
    /// The waits that ended after this function released the lock.
    let waits: Waits
    /// The names of the locks, sorted by their blocked time, longest first.
    let locks: [String]
  }

  /// The functions that held locks while threads waited, sorted by their blocked time, longest first.
  ///
  /// The function that released a lock counts as its holder. Several functions that the compiler has merged
  /// count as one.
  var holdingFunctions: [Holder] {
    struct Totals {
      var waits = Waits([])
      var locks: [String: Duration] = [:]
    }
    var holders: [String: Totals] = [:]
    for source in locks {
      for site in source.sites {
        guard let function = site.releasingStack?.function else { continue }
        holders[function, default: Totals()].waits.add(site.waits)
        holders[function]!.locks[source.name, default: .zero] += site.waits.blocked
      }
    }
    return
      holders.map { function, totals in
        Holder(
          function: function, waits: totals.waits,
          locks: totals.locks.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key))
      }
      .sorted { ($1.waits.blocked, $0.function) < ($0.waits.blocked, $1.function) }
  }
}
