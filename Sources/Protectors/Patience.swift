internal import PlatformLocks

/// How often a waiting thread looks before it sleeps.
///
/// Going to sleep and being woken costs two system calls and two context switches and, where the processor has gone idle
/// meanwhile, what it takes to rouse that: together 5 to 50 µs. A partner that answers at once does so in a hundredth of
/// that. So a thread looks for about as long as partners of this protector took lately (a *short try*), and stops doing so
/// when they take longer: a look in vain is processor time taken from others. (glibc's adaptive mutex follows its
/// successes in the same way.)
///
/// Yet partners may take long only because they sleep as well: each of two threads that take turns is roused, answers at
/// once, and sleeps while the other one is roused. Who looks for as long as rousing takes finds out. So every once in a
/// while a few waits in a row are *long tries*: the first one lasts until the partner is awake, and in the next both
/// are, and answer at once. From then on short tries are enough.
///
/// - **Bound**: a short try is up to 128 looks, some microseconds; a long try up to 2 048, about a tenth of a millisecond,
///   longer than rousing takes. (Who waits for about as long as the alternative costs, pays about twice as much, at most,
///   as who knows the future: Karlin, Manasse, McGeoch, Owicki, "Competitive randomized algorithms for nonuniform
///   problems", 1990.)
/// - **Sharing a processor**: all waits yield once after the short try, and now and then in a long one: a partner that is
///   ready to run on this processor runs then, and finds nobody to wake. Where that has been the answer, looks are of no
///   use.
/// - **Cost in vain**: two short tries; four long tries, which end with the first that was in vain, after 8 sleeps, and
///   each time after twice as many as before, up to 256. Partners that answer at once reset that, step by step.
/// - **Readers** look as others do, but what came of it is not counted: they end their waits outside of write sections. Nor
///   is a wait counted that ended with its deadline.
/// - **One processor**: no looks.
@usableFromInline
struct Patience {
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
      /// The thread was told after so many looks.
      case told(looks: Int)
      /// The thread was told while it yielded.
      case toldWhileYielding
      case slept
    }
  }

  /// A wait begins.
  @usableFromInline
  mutating func begin() -> Attempt {
    guard Processors.count > 1 else { return Attempt(shortLooks: 0, longLooks: 0) }
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
    case .told(let looks) where looks <= Self.shortLooks:
      intervalPower = max(intervalPower - 1, Self.leastIntervalPower)
      (misses, longTries) = (0, 0)
      estimate = UInt8((Int(estimate) * 3 + looks) / 4)
    case .told:
      break
    case .toldWhileYielding:
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
