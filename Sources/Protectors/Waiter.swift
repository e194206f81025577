public import PlatformLocks

/// A thread that waits for its predicate to hold: a node of a protector's `WaitQueue`.
///
/// `@safe`: its pointers lead to waiters in the same queue or list, which stay where they are for as long as they are in it.
///
/// It stands in memory of its own that its thread allocates before and frees after the wait. Other threads see it while it is
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

  /// Whether the predicate holds for the value at an address.
  private let predicate: (UnsafeRawPointer) -> Bool

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

  private init(isReading: Bool, predicate: @escaping (UnsafeRawPointer) -> Bool) {
    self.isReading = isReading
    unsafe self.predicate = unsafe predicate
  }

  /// Makes a waiter in memory of its own, to be given back with `free`.
  @usableFromInline
  static func allocate(
    isReading: Bool, predicate: @escaping (UnsafeRawPointer) -> Bool
  ) -> UnsafeMutablePointer<Waiter> {
    let waiter = UnsafeMutablePointer<Waiter>.allocate(capacity: 1)
    // Sound: fresh memory for one waiter.
    unsafe waiter.initialize(to: Waiter(isReading: isReading, predicate: predicate))
    return unsafe waiter
  }

  /// Ends a waiter that is in no queue and that nobody is about to wake.
  @usableFromInline
  static func free(_ waiter: UnsafeMutablePointer<Waiter>) {
    // Sound: `allocate` made it, and its thread is the only one that knows it.
    unsafe waiter.deinitialize(count: 1)
    unsafe waiter.deallocate()
  }

  /// Whether the predicate holds for the value at `value`; runs code of the waiting thread, under the lock.
  borrowing func isSatisfied(by value: UnsafeRawPointer) -> Bool {
    unsafe predicate(value)
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

  /// Waits for the rest of being served, after a deadline: `isServed` is set, and the section that set it has yet to
  /// set `word`, which it does right after its end.
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
