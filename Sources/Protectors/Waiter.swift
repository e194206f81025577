public import PlatformLocks

/// A thread that waits for its predicate to hold: a node of a protector's `WaitQueue`.
///
/// `@safe`: its pointers lead to waiters in the same queue or list, which stay where they are for as long as they are
/// in it.
///
/// It stands on the stack of its thread. Other threads see it while it is
/// in the queue and from there until they have set `word` to `served`; see `WaitQueue` for who may touch what when.
@safe
@usableFromInline
struct Waiter: ~Copyable {
  /// What a thread sleeps on: one of the values below.
  private let word = LockWord(Self.awake)

  /// The thread runs: it is about to sleep, or looks whether it has been served.
  private static var awake: UInt32 { 0 }
  /// The thread sleeps, or is about to: whoever serves it has to wake it.
  private static var asleep: UInt32 { 1 }
  /// The thread has been told to look at the value; nobody else touches the waiter any more.
  private static var served: UInt32 { 2 }

  /// Calls the predicate of the waiting thread: a function that knows the types, with the addresses of the value and
  /// of the predicate. (A closure that captured the predicate would be a memory block more.)
  @usableFromInline
  typealias Evaluation = (_ value: UnsafeRawPointer, _ predicate: UnsafeRawPointer) -> Bool
  private let evaluation: Evaluation
  private let predicate: UnsafeRawPointer

  /// Whether the thread asks for a read section.
  let isReading: Bool

  // Guarded by the protector's write lock:

  /// It is in the queue.
  @usableFromInline
  var isQueued = false
  /// A write section has found that the predicate holds, and sets `word` after its end.
  @usableFromInline
  var isServed = false
  var next: UnsafeMutablePointer<Waiter>?
  /// For the first one of the queue: the last one.
  var previous: UnsafeMutablePointer<Waiter>?

  // Owned by the section that serves it:

  /// Who is woken after this one.
  var nextServed: UnsafeMutablePointer<Waiter>?

  /// - Parameters:
  ///   - isReading: Whether the thread asks for a read section.
  ///   - predicate: Where the predicate is; it stays there for as long as the waiter lives.
  ///   - evaluation: Calls it.
  @usableFromInline
  init(isReading: Bool, predicate: UnsafeRawPointer, evaluation: @escaping Evaluation) {
    self.isReading = isReading
    unsafe self.predicate = predicate
    unsafe self.evaluation = unsafe evaluation
  }

  /// Whether the predicate holds for the value at `value`; runs code of the waiting thread, under the lock.
  borrowing func isSatisfied(by value: UnsafeRawPointer) -> Bool {
    unsafe evaluation(value, predicate)
  }

  // MARK: Sleeping and waking

  /// Sleeps until served, at most until `deadline`; `false` when it passed first.
  ///
  /// - Parameter patience: How often to look before sleeping; gets what is to be used the next time.
  @usableFromInline
  borrowing func sleep(until deadline: Deadline, patience: inout Patience) -> Bool {
    let rounds = patience.rounds
    for round in 0..<rounds {
      if word.loadAcquiring() == Self.served {
        patience.hasSucceeded(after: round)
        return true
      }
      Backoff.pause()
    }
    patience.hasFailed()
    // Once: a partner that is ready to run on this processor runs now, and finds that it has nobody to wake. That saves
    // two system calls.
    Backoff.yield()
    if word.loadAcquiring() == Self.served { return true }
    guard word.compareExchangeAcquiring(expected: Self.awake, desired: Self.asleep).exchanged else {
      // It was served in between.
      return word.loadAcquiring() == Self.served
    }
    while word.loadAcquiring() != Self.served {
      switch word.wait(while: Self.asleep, until: deadline) {
      case .woken: break
      case .timedOut: return word.loadAcquiring() == Self.served
      // A storm of signals must not keep a deadline from being seen.
      case .notWaited: if deadline.hasPassed { return word.loadAcquiring() == Self.served }
      }
    }
    return true
  }

  /// Waits for the rest of being served, after `sleep` returned `false` and left the word `asleep`.
  ///
  /// `isServed` is set, and the section that set it has yet to set `word`, which it does right after its end.
  @usableFromInline
  borrowing func sleepUntilServed() {
    while true {
      let state = word.loadAcquiring()
      if state == Self.served { return }
      word.wait(while: state)
    }
  }

  /// Makes the waiter ready for another wait, after it was served.
  borrowing func rearm() {
    _ = word.exchangeReleasing(Self.awake)
  }

  /// Tells the thread to look at the value.
  ///
  /// The waiter may be gone when this returns, and in the middle of it: the wake-up goes to an address.
  static func wake(_ waiter: UnsafeMutablePointer<Waiter>) {
    // Sound: a waiter stays until `word` is `served`; after that `LockWord.wake` reads nothing from it.
    if unsafe waiter.pointee.word.exchangeReleasing(served) == asleep {
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

/// The waiters that a write section serves: a list through `nextServed`, to be woken after the section's end.
///
/// `@safe`: waiters stay where they are until they are woken, and are not looked at after that.
@safe
@usableFromInline
struct ServedWaiters {
  @usableFromInline
  var first: UnsafeMutablePointer<Waiter>?

  @inlinable
  init() {
    unsafe first = nil
  }

  @inlinable
  var isNotEmpty: Bool { unsafe first != nil }

  /// Adds a waiter; under the lock.
  mutating func insert(_ waiter: UnsafeMutablePointer<Waiter>) {
    // Sound: `waiter` waits until it is woken, so it stays in its place.
    unsafe waiter.pointee.nextServed = first
    unsafe first = waiter
  }

  /// Wakes all of them; outside the lock.
  @usableFromInline
  @inline(never)
  func wake() {
    var next = unsafe first
    while let waiter = unsafe next {
      // Read before: the waiter is gone as soon as it is woken.
      unsafe next = waiter.pointee.nextServed
      unsafe Waiter.wake(waiter)
    }
  }
}
