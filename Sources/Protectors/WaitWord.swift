public import InterlockCore

/// The word on which a thread sleeps until it is notified, once.
///
/// The sleeping thread and the notifying one change it by read-modify-writes, so the later one sees the earlier one:
/// the thread does not sleep, or is woken. Notifying releases, and finding the notification acquires.
@usableFromInline
struct WaitWord: ~Copyable, Sendable {
  @usableFromInline
  let state = LockWord(Self.awake)

  /// The thread runs, and has not announced that it will sleep.
  private static var awake: UInt32 { 0 }
  /// The thread has announced that it will sleep, and may be sleeping.
  private static var asleep: UInt32 { 1 }
  private static var notified: UInt32 { 2 }

  @_alwaysEmitIntoClient
  @_transparent
  var key: UInt { state.key }

  /// Whether the thread sleeps, or is about to.
  ///
  /// On any other thread the answer may already be out of date.
  var isAsleep: Bool { state.loadRelaxed() == Self.asleep }

  var isNotified: Bool { state.loadAcquiring() == Self.notified }

  /// Sleeps until notified, at most until `deadline`; returns whether it was notified.
  borrowing func sleep(until deadline: Deadline) -> Bool {
    guard state.compareExchangeAcquiring(expected: Self.awake, desired: Self.asleep).exchanged else {
      // The exchange failed because the thread has been notified. This load has acquire ordering, which the
      // failed exchange does not have.
      return isNotified
    }
    while !isNotified {
      switch state.wait(while: Self.asleep, until: deadline) {
      case .woken: break
      case .timedOut: return isNotified
      // A signal may have interrupted the sleep. Consecutive signals could keep the thread waiting beyond the
      // deadline, so check the deadline here too.
      default: if deadline.hasPassed { return isNotified }
      }
    }
    return true
  }

  /// Sleeps until notified, without a deadline.
  ///
  /// Another thread must be about to notify the calling thread, which would otherwise sleep forever. The
  /// caller must first have called `sleep`, with the result `false`, or `willSleepAgain`.
  borrowing func sleepUntilNotified() {
    while !isNotified { state.wait(while: Self.asleep) }
  }

  /// Prepares the thread, which was notified, for one more notification, before which it sleeps.
  borrowing func willSleepAgain() { _ = state.exchangeReleasing(Self.asleep) }

  /// Prepares the thread, which was notified, for one more notification.
  borrowing func rearm() { _ = state.exchangeReleasing(Self.awake) }

  /// Notifies the thread, and wakes it if it sleeps.
  ///
  /// The thread may free the word before this function returns.
  ///
  /// - Returns: Whether the thread was not notified before.
  @discardableResult
  borrowing func notify() -> Bool {
    let old = state.exchangeReleasing(Self.notified)
    if old == Self.asleep {
      // Sound: `wake` uses only the word's address, not its memory.
      state.wake(count: 1)
    }
    return old != Self.notified
  }
}
