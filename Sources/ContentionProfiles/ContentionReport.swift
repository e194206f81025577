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

    /// The address of the lock; `nil` for several locks that are counted together (see `locks`).
    ///
    /// A lock at the address of an earlier lock counts as that lock.
    public let address: UInt?

    /// The number of locks that are counted together; `nil` if it is not known, because the profile's memory
    /// of fixed size was full.
    ///
    /// Locks without a name of their own (see `ContentionProfile.name(_:_:)`) are counted together if there
    /// are at least eight with the same type, the same label, and the same function that waited for longest.
    /// Such locks are often short-lived ones, which the same code makes.
    public let locks: Int?

    /// The names, the label and the source line; `nil` if none is known.
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

    /// The text that identifies the lock in reports: its type, its address, the names that the program has
    /// given it (see `ContentionProfile.name(_:_:)`), and its label and the line of source that makes it.
    ///
    /// Labels and lines are known only with the trait `DeadlockDetection`, and only if a thread has waited
    /// without a timeout.
    public var name: String {
      let origin = origin.map { " " + $0 } ?? ""
      if let address { return "\(primitive) 0x" + String(address, radix: 16) + origin }
      guard let locks else { return "other locks: \(primitive)" }
      return "\(locks) × \(primitive)" + origin
    }

    /// The number of waits.
    public var waits: Int { sites.reduce(0) { $0 + $1.waits } }

    /// The time of all waits.
    public var total: Duration { sites.reduce(.zero) { $0 + $1.total } }

    /// The time that the lock was held while threads waited for it; see `Site.blocked`.
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
    /// The task waited for a permit of an `AsyncSemaphore`.
    case permit
    /// The thread or task waited in `waitingUntil` for a value that fulfils a predicate.
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

    /// The part of the time in which the holders ran on a processor, from 0 to 1; `nil` if it is not known.
    ///
    /// A holder that did not run slept, or waited for a processor: then a busy machine is to blame, and not
    /// the function. Only holds are measured that began before a thread waited. Known on Linux, for locks
    /// whose threads `CurrentWait.holder` names.
    public var running: Double?
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

    /// Whether the function belongs to this package or to Swift's runtime, or is a thunk that the compiler
    /// has added.
    public let isInternal: Bool
  }

  /// A function that held locks while threads waited for them.
  public struct Holder: Sendable {
    /// The name of the function.
    public let function: String

    /// The sum of the `blocked` times of the sites that this function released; see `Site.blocked`.
    public let blocked: Duration

    /// The longest time that a single wait has added to `blocked`.
    public let longestBlocked: Duration

    /// The number of waits.
    public let waits: Int

    /// The names of the locks, the one that was blocked for longest first.
    public let locks: [String]
  }

  /// A wait that had not ended when the report was made.
  public struct CurrentWait: Sendable {
    /// The text that identifies the lock; see `Source.name`.
    public let name: String

    /// The purpose of the wait.
    public let purpose: Purpose

    /// The waiting thread with the system's number and, on Linux, its name; or the waiting task with its
    /// address.
    public let thread: String

    /// Where the thread or task waits.
    public let waiter: Stack

    /// The time that the thread or task has waited so far.
    public let duration: Duration

    /// The thread or task that holds the lock, or the number of readers; `nil` if there is no holder, or if
    /// it is not known.
    ///
    /// The holders are known of `UnfairLock`, `CompactReadWriteLock`, `BiasedReadWriteLock`, the protectors
    /// and properties with these locks, `Once`, `OnceCell`, `Lazy` and `AsyncMutex`. Readers have no numbers.
    /// On Darwin the owner of an `UnfairLock` is not known.
    public let holder: String?

    /// The holder's activity: waiting for a lock, running or sleeping; `nil` if it is not known.
    public let holderActivity: String?
  }

  /// The duration of the recording.
  public let duration: Duration

  /// The locks and initialisers that threads contended for.
  public let locks: [Source]

  /// The events that threads waited for on purpose: a predicate of `waitingUntil`, or the end of bodies of
  /// `Lifecycle.whileActive` or `activate`.
  public let events: [Source]

  /// The waits that had not ended when the report was made: those for locks and then those for events, the
  /// longest first; empty after `ContentionProfile.stop()`.
  ///
  /// Waits that began before the recording are missing. These waits are in neither `locks` nor `events` yet.
  public internal(set) var current: [CurrentWait] = []

  /// The number of waits that are in neither `locks` nor `events`, because the profile's memory of fixed size
  /// was full.
  public let lostWaits: Int

  /// The total time of the waits that `lostWaits` counts.
  ///
  /// They may have been waits for locks or for events.
  public let lostTime: Duration

  /// The total time of the waits for `locks`, without lost waits (see `lostWaits`).
  public var total: Duration { locks.reduce(.zero) { $0 + $1.total } }

  /// The number of waits for locks, without those that were lost.
  public var waits: Int { locks.reduce(0) { $0 + $1.waits } }

  /// The part of all waiting time that threads spent waiting for `source`, between 0 and 1.
  ///
  /// All waiting time is `total` and `lostTime`.
  public func share(of source: Source) -> Double {
    let all = total + lostTime
    return all == .zero ? 0 : source.total / all
  }

  /// The functions that held locks while threads waited, with their totals: the one that blocked others for
  /// longest first.
  ///
  /// A holder is known by its release of the lock. Several functions that the compiler has merged count as
  /// one.
  ///
  /// - Complexity: O(*n* log *n*) in the number of all sites.
  public var holders: [Holder] {
    struct Totals {
      var blocked = Duration.zero
      var longestBlocked = Duration.zero
      var waits = 0
      var locks: [String: Duration] = [:]
    }
    var holders: [String: Totals] = [:]
    for source in locks {
      for site in source.sites {
        guard let function = site.releaser?.function else { continue }
        holders[function, default: Totals()].blocked += site.blocked
        holders[function]!.longestBlocked = max(holders[function]!.longestBlocked, site.longestBlocked)
        holders[function]!.waits += site.waits
        holders[function]!.locks[source.name, default: .zero] += site.blocked
      }
    }
    return
      holders.map { function, totals in
        Holder(
          function: function, blocked: totals.blocked, longestBlocked: totals.longestBlocked,
          waits: totals.waits,
          locks: totals.locks.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key))
      }
      .sorted { ($1.blocked, $0.function) < ($0.blocked, $1.function) }
  }
}
