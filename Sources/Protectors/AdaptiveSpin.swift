internal import PlatformLocks

/// How often a thread that waits for a predicate checks its word before it sleeps.
///
/// Sleeping and waking cost two system calls and two context switches, and more where the processor has gone idle: 5 to 50 µs.
/// A partner that answers at once takes a hundredth of that. So a thread spins briefly if spinning has recently paid off (a
/// *short try*), and stops when it does not: spinning takes processor time from others. glibc's adaptive mutex follows its
/// successes in the same way.
///
/// Partners may take long only because they sleep, too. Of two threads that take turns, each is woken, answers at once, and
/// sleeps while the other one is woken. So from time to time a few waits in a row are *long tries*. The first lasts until the
/// partner is awake; in the next both are awake and answer at once. From then on short tries suffice.
///
/// - **Bound**: a short try is up to 128 checks, some microseconds. A long try is up to 2 048, about a tenth of a millisecond,
///   which is longer than waking takes. A wait as long as its alternative costs at most twice as much as an optimal
///   one: Karlin, Manasse, McGeoch, Owicki, "Competitive randomized algorithms for nonuniform problems", 1990.
/// - **Sharing a processor**: each wait yields once after the short try, and repeatedly in a long one. A partner that is ready to
///   run on this processor runs then, and wakes nobody. Where that was the answer, spinning does not pay off.
/// - **Cost in vain**: two short tries; and four long tries, which end with the first that was in vain. Long tries come after 8
///   sleeps, and each time after twice as many as before, up to 256. Partners that answer at once reset that, step by step.
/// - **Readers** spin as writers do, but their results are not counted, because they end their waits outside write sections. A wait
///   that ended with its deadline is not counted either.
/// - **One processor**: no spinning.
@usableFromInline
struct AdaptiveSpin {
  /// The looks that lately were needed.
  private var estimate: UInt8 = 8
  /// Short tries in a row that were in vain; 2 at most.
  private var misses: UInt8 = 0
  /// How many of the next waits are long tries.
  private var longTries: UInt8 = 0
  /// How many sleeps lie between long tries, as a power of two.
  private var intervalPower: UInt8 = Self.leastIntervalPower
  /// Sleeps since the last long try.
  private var sleeps: UInt16 = 0

  private static var shortLooks: Int { 128 }
  private static var longLooks: Int { 2_048 }
  private static var leastIntervalPower: UInt8 { 3 }
  private static var mostIntervalPower: UInt8 { 8 }

  @usableFromInline
  init() {}

  /// A wait: how often to look, and what came of it.
  @usableFromInline
  struct Attempt {
    /// How often to look before the yield.
    let shortLooks: Int
    /// How often to look after it.
    let longLooks: Int
    var outcome = Outcome.slept

    enum Outcome {
      /// The thread was notified after so many looks.
      case notified(looks: Int)
      /// The thread was notified while it yielded.
      case notifiedWhileYielding
      case slept
    }
  }

  /// A wait begins.
  @usableFromInline
  mutating func begin() -> Attempt {
    guard Backoff.isOfUse else { return Attempt(shortLooks: 0, longLooks: 0) }
    if longTries > 0 {
      longTries -= 1
      return Attempt(shortLooks: Self.shortLooks, longLooks: Self.longLooks)
    }
    let looks = misses < 2 ? min(Int(estimate) * 2 + 8, Self.shortLooks) : 0
    return Attempt(shortLooks: looks, longLooks: 0)
  }

  /// A wait has ended.
  @usableFromInline
  mutating func end(_ attempt: Attempt) {
    switch attempt.outcome {
    case .notified(let looks) where looks <= Self.shortLooks:
      intervalPower = max(intervalPower - 1, Self.leastIntervalPower)
      (misses, longTries) = (0, 0)
      estimate = UInt8((Int(estimate) * 3 + looks) / 4)
    case .notified:
      break
    case .notifiedWhileYielding:
      longTries = 0
      if attempt.shortLooks > 0 { misses = min(misses + 1, 2) }
    case .slept:
      if attempt.shortLooks > 0 { misses = min(misses + 1, 2) }
      if attempt.longLooks > 0 { longTries = 0 }
      sleeps += 1
      guard sleeps >> intervalPower > 0 else { return }
      sleeps = 0
      longTries = 4
      intervalPower = min(intervalPower + 1, Self.mostIntervalPower)
    }
  }
}
