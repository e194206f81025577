internal import CInterlock

/// Bounded spinning with jitter, for a thread that waits for a lock.
///
/// The thread spins in *rounds*: in each round it pauses, then polls the lock. After the last round the
/// thread sleeps or yields. Each round pauses longer than the one before, up to a limit. A random part keeps
/// threads that started together from polling together. Long pauses make a spinning thread cheap for the
/// lock's owner: between two polls the lock word stays in the owner's cache.
///
/// If spinning can't help (see `isOfUse`), there are no rounds.
package struct Backoff {
  /// The maximum number of pauses in the next round.
  ///
  /// Each round doubles it, up to `mostPauses`.
  private var pauses: UInt32
  private static let mostPauses: UInt32 = 128

  private var roundsLeft: UInt32
  private var random: UInt32

  /// Starts with eight rounds, or with none if spinning can't help.
  ///
  /// The eight rounds together take about as long as putting a thread to sleep and waking it.
  ///
  /// - Parameter firstPauses: The maximum number of pauses in the first round. Pass a small number if most
  ///   waits are very short.
  package init(firstPauses: UInt32 = 16) {
    pauses = firstPauses
    roundsLeft = Self.isOfUse ? 8 : 0
    // Seeds the xorshift generator, for which any nonzero seed suffices, differently on each thread.
    random = ThreadIdentity.current &* 2_654_435_761 | 1
  }

  /// Pauses for one round and returns `true`; returns `false` immediately if no round is left.
  package mutating func spin() -> Bool {
    guard roundsLeft > 0 else { return false }
    roundsLeft -= 1
    pause(atMost: pauses)
    pauses = min(pauses * 2, Self.mostPauses)
    return true
  }

  /// Whether no round is left.
  package var isOver: Bool { roundsLeft == 0 }

  /// Pauses for one round; if none is left, calls `yieldUntilChange(until:)`.
  ///
  /// For a thread that polls a word and never sleeps.
  package mutating func spinOrYield(until deadline: Deadline) {
    if !spin() { Self.yieldUntilChange(until: deadline) }
  }

  /// Pauses for about as long as the longest round, without using up a round.
  ///
  /// Call this after losing a compare-exchange race, so that the winner runs uncontended. Does nothing if
  /// spinning can't help (see `isOfUse`).
  package mutating func backOffAfterCollision() {
    if Self.isOfUse { pause(atMost: Self.mostPauses) }
  }

  /// Pauses a random number of times, from `most / 2` to `most` inclusive.
  private mutating func pause(atMost most: UInt32) {
    random ^= random << 13
    random ^= random >> 17
    random ^= random << 5
    var left = most - random % (most / 2 + 1)
    // Not a `for` loop: in unoptimized code, each step of a range asks the runtime for type metadata, which
    // takes a lock.
    while left > 0 {
      interlock_pause()
      left -= 1
    }
  }

  /// Whether spinning can shorten a thread's wait.
  ///
  /// It is `false` on a machine with one processor, and on a thread that the explorer runs.
  package static var isOfUse: Bool {
    // Under the explorer, spinning would cover no new case: the explorer also tries the schedules in which
    // another thread releases the lock before this thread first polls it.
    ExploredThreads.current == nil && Platform.processorCount > 1
  }

  /// Pauses for some tens of nanoseconds, for a caller that counts its rounds itself.
  ///
  /// Does nothing on a thread that the explorer runs.
  package static func pause() {
    if ExploredThreads.current == nil { interlock_pause() }
  }

  /// Yields the processor to another runnable thread.
  ///
  /// Does nothing on a thread that the explorer runs. A loop that polls a word must call `yieldUntilChange()`
  /// instead.
  package static func yield() {
    if ExploredThreads.current == nil { Platform.yield() }
  }

  /// Pauses for some tens of nanoseconds.
  ///
  /// Call this in a loop that polls a word until another thread changes the word.
  ///
  /// On a thread that the explorer runs, this returns when another thread has changed a word, or when no
  /// thread could make a step otherwise.
  package static func pauseUntilChange() {
    if let thread = ExploredThreads.current { return thread.spin(until: .never) }
    interlock_pause()
  }

  /// Yields the processor to another runnable thread.
  ///
  /// Call this in a loop that polls a word until another thread changes the word. What the loop does must not
  /// depend on the number of its polls: the explorer tries few of them.
  ///
  /// On a thread that the explorer runs, this returns when another thread has changed a word, when no thread
  /// could make a step otherwise, or at any time with the deadline passed.
  package static func yieldUntilChange(until deadline: Deadline = .never) {
    if let thread = ExploredThreads.current { return thread.spin(until: deadline) }
    Platform.yield()
  }
}
