/// How often a waiting thread looks before it sleeps.
///
/// Going to sleep and being woken costs two system calls and, where no processor is idle, two context switches. A
/// partner that answers at once does so in a tenth of that. So a thread looks for about as long as partners of this
/// protector took lately, and soon stops doing so when they take longer: a look in vain is processor time taken from
/// the partner, all of it where both share a processor. (glibc's adaptive mutex follows its successes in the same
/// way.)
///
/// - **Bound**: `most` looks, about a microsecond, and one yield. After two failures in a row a thread looks only at
///   every 32nd wait, to find out whether partners have become quick.
@usableFromInline
struct Patience {
  /// The looks that lately were needed.
  private var estimate: UInt16 = 8
  /// Failures since the last success, and waits that did not try.
  private var failures: UInt16 = 0

  @usableFromInline
  init() {}

  private static var most: Int { 32 }

  /// How often to look now.
  var rounds: Int {
    guard failures < 2 || failures == 32 else { return 0 }
    return min(Int(estimate) * 2 + 8, Self.most)
  }

  mutating func hasSucceeded(after rounds: Int) {
    failures = 0
    estimate = UInt16((Int(estimate) * 3 + rounds) / 4)
  }

  mutating func hasFailed() {
    failures = failures < 32 ? failures + 1 : 2
  }
}
