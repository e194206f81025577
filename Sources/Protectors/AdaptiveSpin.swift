internal import InterlockCore

/// Decides how long a thread that waits for a predicate spins before it sleeps.
///
/// A spinning thread checks an atomic word again and again. Another thread changes this word to notify the
/// spinning thread. The length of a spin is counted in checks.
///
/// Sleeping and waking cost two system calls and two context switches, and more where the processor has gone
/// idle: 5 to 50 µs. If another running thread makes the predicate true immediately, spinning costs only a
/// hundredth of that. So a thread spins briefly (a *brief spin*) if spinning has recently paid off. If not,
/// it sleeps, because spinning takes processor time from other threads. glibc's adaptive mutex counts its
/// successes in the same way.
///
/// A brief spin can fail merely because the thread that will notify is asleep as well. For example, when two
/// threads take turns, and each wakes the other one and then sleeps, each wait takes as long as a wake-up. So
/// from time to time a few consecutive waits use *long spins*. The first long spin lasts until the other
/// thread is awake. From then on both threads are awake, and brief spins suffice.
///
/// - **Bound**: a brief spin is up to 128 checks, some microseconds. A long spin is up to 2 048 more, about a
///   tenth of a millisecond, which is longer than waking takes. If a thread spins for as long as a sleep
///   costs, and then sleeps, its wait costs at most twice as much as an optimal one. (Karlin, Manasse,
///   McGeoch, Owicki, "Competitive randomized algorithms for nonuniform problems", 1990.)
/// - **Sharing a processor**: each wait yields once after the brief spin, and repeatedly in a long one. While
///   the waiting thread yields, another thread can run on this processor, and notify the waiting thread
///   without a wake-up. Such a notification does not count as a success of spinning.
/// - **Cost of failed spins**: after two consecutive brief spins have failed, threads sleep without spinning.
///   After 8 sleeps, a series of up to four long spins begins. The first long spin that fails ends the
///   series. The number of sleeps before the next series doubles each time, up to 256. Each brief spin that
///   succeeds halves that number, down to 8.
/// - **Readers** spin as writers do, but do not record whether spinning has paid off: only a thread that
///   holds the write lock may record it, and a reader acquires only the read lock after its wait. A wait that
///   ended at its deadline is not recorded either.
/// - **One processor**: threads sleep without spinning.
@usableFromInline
struct AdaptiveSpin {
  /// The moving average of the number of checks in successful brief spins; each new number has a weight of ¼.
  ///
  /// A later brief spin has at most twice this number of checks plus 8, and never more than 128.
  private var estimate: UInt8 = 8
  /// The number of consecutive brief spins that have failed; at most 2.
  private var misses: UInt8 = 0
  /// The number of upcoming waits that have a long spin; at most 4.
  private var longSpins: UInt8 = 0
  /// The next series of long spins begins after 2ⁿ sleeps, where *n* is this number, from 3 to 8.
  private var intervalPower: UInt8 = Self.leastIntervalPower
  /// The number of sleeps since the last series of long spins began.
  private var sleeps: UInt16 = 0

  private static var checksBeforeYield: Int { 128 }
  private static var checksAfterYield: Int { 2_048 }
  private static var leastIntervalPower: UInt8 { 3 }
  private static var mostIntervalPower: UInt8 { 8 }

  @usableFromInline
  init() {}

  /// The limits on the spin of one wait, counted in checks of the atomic word, and how that wait has ended.
  @usableFromInline
  struct Attempt {
    /// The maximum number of checks before the thread yields the processor for the first time.
    let checksBeforeYield: Int
    /// The maximum number of checks after the first yield; 0 if the wait has no long spin.
    let checksAfterYield: Int
    var outcome = Outcome.slept

    enum Outcome {
      /// The thread saw its notification after this many checks of the atomic word.
      case notified(checks: Int)
      /// The thread was notified while it yielded.
      case notifiedWhileYielding
      case slept
    }
  }

  /// Returns the limits of a wait that begins now.
  ///
  /// The caller must hold the write lock.
  @usableFromInline
  mutating func begin() -> Attempt {
    guard Backoff.isOfUse else { return Attempt(checksBeforeYield: 0, checksAfterYield: 0) }
    if longSpins > 0 {
      longSpins -= 1
      return Attempt(checksBeforeYield: Self.checksBeforeYield, checksAfterYield: Self.checksAfterYield)
    }
    let checks = misses < 2 ? min(Int(estimate) * 2 + 8, Self.checksBeforeYield) : 0
    return Attempt(checksBeforeYield: checks, checksAfterYield: 0)
  }

  /// Records how a wait has ended.
  ///
  /// The caller must hold the write lock.
  @usableFromInline
  mutating func end(_ attempt: Attempt) {
    switch attempt.outcome {
    case .notified(let checks) where checks <= Self.checksBeforeYield:
      intervalPower = max(intervalPower - 1, Self.leastIntervalPower)
      (misses, longSpins) = (0, 0)
      estimate = UInt8((Int(estimate) * 3 + checks) / 4)
    case .notified:
      break
    case .notifiedWhileYielding:
      longSpins = 0
      if attempt.checksBeforeYield > 0 { misses = min(misses + 1, 2) }
    case .slept:
      if attempt.checksBeforeYield > 0 { misses = min(misses + 1, 2) }
      if attempt.checksAfterYield > 0 { longSpins = 0 }
      sleeps += 1
      guard sleeps >> intervalPower > 0 else { return }
      sleeps = 0
      longSpins = 4
      intervalPower = min(intervalPower + 1, Self.mostIntervalPower)
    }
  }
}
