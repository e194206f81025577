internal import InterlockCore

/// A lock, the code that waited for it, and the code that released it.
struct WaitSite: Hashable, Sendable {
  /// The key of the lock, a number derived from its address; 0 if the site merges waits for several locks.
  var lock: UInt
  var primitive: Primitive
  var mode: LockMode
  /// The return addresses of the stack that waited, innermost first.
  var waiter: [UInt]
  /// The return addresses of the stack that released the lock, innermost first; empty if it is not known.
  var releaser: [UInt]

  static func == (first: WaitSite, second: WaitSite) -> Bool {
    first.lock == second.lock && first.primitive.kind == second.primitive.kind
      && first.primitive.origin == second.primitive.origin && first.mode == second.mode
      && first.waiter == second.waiter && first.releaser == second.releaser
  }

  /// Feeds all but the primitive to the hasher, whose type is not hashable.
  func hash(into hasher: inout Hasher) {
    hasher.combine(lock)
    hasher.combine(mode.rawValue)
    hasher.combine(waiter)
    hasher.combine(releaser)
  }
}

/// The number of waits at one site, with their times in nanoseconds.
struct WaitFigures: Sendable {
  var waits: UInt64 = 0
  var total: UInt64 = 0
  var longest: UInt64 = 0
  /// The time that the lock was held while threads waited; see `ContendedLock`.
  var blocked: UInt64 = 0
  var longestBlocked: UInt64 = 0
  /// The number of waits in each bucket of a `Histogram`, by bucket index.
  var histogram = [UInt64](repeating: 0, count: Histogram.bucketCount)

  mutating func add(waited: UInt64, blocked time: UInt64) {
    waits += 1
    total += waited
    longest = max(longest, waited)
    blocked += time
    longestBlocked = max(longestBlocked, time)
    histogram[Histogram.bucket(of: waited)] += 1
  }

  mutating func add(_ other: WaitFigures) {
    waits += other.waits
    total += other.total
    longest = max(longest, other.longest)
    blocked += other.blocked
    longestBlocked = max(longestBlocked, other.longestBlocked)
    for index in histogram.indices { histogram[index] += other.histogram[index] }
  }
}
