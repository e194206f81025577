/// How often a waiting thread looks before it sleeps.
///
/// Going to sleep and being woken costs two system calls and, where no processor is idle, two context switches. A partner
/// that answers at once does so in a tenth of that. So a thread looks for about as long as partners of this protector
/// took lately, and soon stops doing so when they take longer: a look in vain is processor time taken from the partner.
/// (An estimate that follows the successes is what glibc's adaptive mutex does too.)
///
/// - **Bound**: `most` looks, a few microseconds, and less after each failure. After repeated failures a thread looks
///   only at every sixteenth wait, to find out when partners have become quick.
@usableFromInline
struct Patience {
  /// The looks that lately were needed.
  private var estimate: UInt16 = 16
  /// Failures since the last success.
  private var failures: UInt16 = 0

  @usableFromInline
  init() {}

  private static var most: Int { 128 }

  /// How often to look now.
  var rounds: Int {
    if failures >= 4 && failures % 16 != 0 { return 0 }
    return min(Int(estimate) * 2 + 16, Self.most)
  }

  mutating func hasSucceeded(after rounds: Int) {
    failures = 0
    estimate = UInt16((Int(estimate) * 7 + rounds) / 8)
  }

  mutating func hasFailed() {
    // Stays among the numbers that the rule above tells apart.
    failures = failures < 63 ? failures + 1 : 48
    estimate = estimate / 2
  }
}
