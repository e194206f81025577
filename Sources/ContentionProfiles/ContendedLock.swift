/// A lock for which threads sleep now, with the stack that held it for longest.
///
/// `since` is the time when the lock's first waiting thread arrived, or the lock's last release, whichever is
/// later. A release adds the time from `since` until now to `blocked`, because the lock was held and a thread
/// waited. The next wait that ends takes `blocked`, and resets it to 0. The sum of `blocked` over all waits is
/// therefore the time during which the lock was held while a thread waited.
///
/// Several threads may hold the lock one after the other before a wait ends. The wait that takes `blocked` is
/// attributed to the release that added most to it.
struct ContendedLock: Sendable {
  /// The number of threads and tasks that sleep.
  var waiting = 0
  var since: UInt64
  var blocked: UInt64 = 0
  /// The longest time that a release has added to `blocked` since the previous wait ended, in nanoseconds.
  private var longest: UInt64 = 0
  /// The stack that added `longest`.
  ///
  /// The end of a wait keeps it: one release may end the waits of several readers, which all report it.
  private(set) var releaser: [UInt] = []

  init(since: UInt64) { self.since = since }

  mutating func release(by stack: [UInt], at now: UInt64) {
    let held = now > since ? now - since : 0
    if held >= longest {
      longest = held
      releaser = stack
    }
    blocked += held
    since = max(now, since)
  }

  /// Returns the blocked time for a wait that has ended.
  mutating func leave() -> UInt64 {
    waiting -= 1
    longest = 0
    defer { blocked = 0 }
    return blocked
  }
}
