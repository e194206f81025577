public import PlatformLocks

/// A thread that waits for its predicate to hold: a node of a protector's `WaitQueue`.
///
/// `@safe`: its pointers lead to waiters in the same queue or list, which stay where they are for as long as they are
/// in it.
///
/// It stands on the stack of its thread. Other threads see it while it is in the queue and, where they have marked it
/// there as examined or served, until they have set `word` to `notified`; see `WaitQueue` for who may touch what when.
@safe
@usableFromInline
struct Waiter: ~Copyable {
  /// What a thread sleeps on: one of the values below.
  private let word = LockWord(Self.awake)

  /// The thread runs: it is about to sleep, or looks whether it has been notified something.
  private static var awake: UInt32 { 0 }
  /// The thread sleeps, or is about to: whoever tells it something has to wake it.
  private static var asleep: UInt32 { 1 }
  /// The thread has been notified to go on; nobody else touches the waiter any more.
  private static var notified: UInt32 { 2 }

  /// Calls the predicate of the waiting thread: a function that knows the types, with the addresses of the value and
  /// of the predicate. (A closure that captured the predicate would be a memory block more.)
  @usableFromInline
  typealias Evaluation = (_ value: UnsafeRawPointer, _ predicate: UnsafeRawPointer) -> Bool
  private let evaluation: Evaluation
  private let predicate: UnsafeRawPointer

  /// Whether the thread asks for a read section.
  let isReading: Bool

  /// Whether the thread may leave the queue before it is served: it has a deadline.
  let mayLeave: Bool

  // Guarded as the queue is:

  /// It is in the queue.
  var isQueued = false
  /// The thread is to enter the lock and look for itself; whoever has set this sets `word` soon after.
  var isServed = false
  /// A write section evaluates the predicate at this moment.
  var isExamined = false
  /// This write section has found the predicate false on its first pass, and need not look again on its second.
  var isPassedOver = false
  /// How many times it was overtaken in its sleep, while no sleeper before it could be.
  var overtakings: UInt8 = 0
  /// It has been overtaken often enough; see the order of `WaitQueue`.
  var isDue: Bool { overtakings == 64 }
  /// The thread wants to leave, and waits for the end of the examination.
  var isLeaving = false
  var next: UnsafeMutablePointer<Waiter>?
  /// For the first one of the queue: the last one.
  var previous: UnsafeMutablePointer<Waiter>?

  // Owned by who serves it:

  /// Who is woken after this one.
  var nextServed: UnsafeMutablePointer<Waiter>?

  /// - Parameters:
  ///   - isReading: Whether the thread asks for a read section.
  ///   - mayLeave: Whether it may leave the queue before it is served.
  ///   - predicate: Where the predicate is; it stays there for as long as the waiter lives.
  ///   - evaluation: Calls it.
  @usableFromInline
  init(isReading: Bool, mayLeave: Bool, predicate: UnsafeRawPointer, evaluation: @escaping Evaluation) {
    self.isReading = isReading
    self.mayLeave = mayLeave
    unsafe self.predicate = predicate
    unsafe self.evaluation = unsafe evaluation
  }

  /// Whether the predicate holds for the value at `value`; runs code of the waiting thread, under the lock.
  borrowing func isSatisfied(by value: UnsafeRawPointer) -> Bool {
    unsafe evaluation(value, predicate)
  }

  // MARK: Sleeping and waking

  /// The thread sleeps, or is about to; where other threads ask, this may have changed since.
  var isAsleep: Bool { word.loadRelaxed() == Self.asleep }

  /// Sleeps until notified to go on, at most until `deadline`; `false` when it passed first.
  ///
  /// - Parameter attempt: How often to look before sleeping; gets what came of that.
  @usableFromInline
  borrowing func sleep(until deadline: Deadline, _ attempt: inout AdaptiveSpin.Attempt) -> Bool {
    var round = 0
    while round < attempt.shortLooks {
      if isNotified(after: round, &attempt) { return true }
      Backoff.pause()
      round += 1
    }
    if isNotifiedWhileYielding(&attempt) { return true }
    round = 0
    while round < attempt.longLooks {
      if isNotified(after: attempt.shortLooks + 1 + round, &attempt) { return true }
      Backoff.pause()
      round += 1
      if round % 64 == 0 {
        if isNotifiedWhileYielding(&attempt) { return true }
        if deadline.hasPassed { break }
      }
    }
    guard word.compareExchangeAcquiring(expected: Self.awake, desired: Self.asleep).exchanged else {
      // It was notified in between.
      return word.loadAcquiring() == Self.notified
    }
    while word.loadAcquiring() != Self.notified {
      switch word.wait(while: Self.asleep, until: deadline) {
      case .woken: break
      case .timedOut: return word.loadAcquiring() == Self.notified
      // A storm of signals must not keep a deadline from being seen.
      case .notWaited: if deadline.hasPassed { return word.loadAcquiring() == Self.notified }
      }
    }
    return true
  }

  private borrowing func isNotified(after looks: Int, _ attempt: inout AdaptiveSpin.Attempt) -> Bool {
    guard word.loadAcquiring() == Self.notified else { return false }
    attempt.outcome = .notified(looks: looks)
    return true
  }

  private borrowing func isNotifiedWhileYielding(_ attempt: inout AdaptiveSpin.Attempt) -> Bool {
    Backoff.yield()
    guard word.loadAcquiring() == Self.notified else { return false }
    attempt.outcome = .notifiedWhileYielding
    return true
  }

  /// Waits to be notified to go on, after `sleep` returned `false` and left the word `asleep`.
  ///
  /// For a thread that knows that somebody is about to.
  borrowing func sleepUntilNotified() {
    while word.loadAcquiring() != Self.notified {
      word.wait(while: Self.asleep)
    }
  }

  /// Makes the waiter ready for another wait, after it was notified.
  borrowing func rearm() {
    _ = word.exchangeReleasing(Self.awake)
  }

  /// Tells the thread to go on.
  ///
  /// The waiter may be gone when this returns, and in the middle of it: the wake-up goes to an address.
  static func notify(_ waiter: UnsafeMutablePointer<Waiter>) {
    // Sound: a waiter stays until `word` is `notified`; after that `LockWord.wake` reads nothing from it.
    if unsafe waiter.pointee.word.exchangeReleasing(notified) == asleep {
      unsafe waiter.pointee.word.wake(count: 1)
    }
  }
}

/// What a waiter waits for, in a place of its own.
@usableFromInline
struct WaitPredicate<Value: ~Copyable>: Sendable {
  @usableFromInline
  let isSatisfied: @Sendable (borrowing Value) -> Bool

  @inlinable
  init(isSatisfied: @escaping @Sendable (borrowing Value) -> Bool) {
    self.isSatisfied = isSatisfied
  }
}

/// The waiters that a write section serves: a list through `nextServed`, to be notified after the section's end.
///
/// `@safe`: waiters stay where they are until they are notified, and are not looked at after that.
@safe
@usableFromInline
struct ServedWaiters {
  @usableFromInline
  var first: UnsafeMutablePointer<Waiter>?

  @inlinable
  init() {
    unsafe first = nil
  }

  /// The list whose `bits` these are.
  @inlinable
  init(bits: UInt) {
    unsafe first = unsafe UnsafeMutablePointer(bitPattern: bits)
  }

  @inlinable
  var bits: UInt { UInt(bitPattern: unsafe first) }

  @inlinable
  var isNotEmpty: Bool { unsafe first != nil }

  /// Adds a waiter; under the lock.
  mutating func insert(_ waiter: UnsafeMutablePointer<Waiter>) {
    // Sound: `waiter` waits until it is notified, so it stays in its place.
    unsafe waiter.pointee.nextServed = first
    unsafe first = waiter
  }

  /// Wakes all of them; outside the lock.
  @inlinable
  @inline(__always)
  func wake() { callOutOfLine(interlock_protector_wake, bits) }

  func wakeSlow() {
    var next = unsafe first
    while let waiter = unsafe next {
      // Read before: the waiter is gone as soon as it is notified.
      unsafe next = waiter.pointee.nextServed
      unsafe Waiter.notify(waiter)
    }
  }
}
