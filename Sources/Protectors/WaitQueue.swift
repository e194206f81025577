internal import PlatformLocks

/// The threads that wait for a predicate on the value of one protector.
///
/// # Why
/// A condition variable makes its users remember: which condition, signal or broadcast, after which change, and to look
/// again in a loop. Here a thread names the predicate and nobody signals: the end of a write section finds out whom
/// it concerns. A write section must pay nothing for that when nobody waits, and must not wake threads that it does
/// not concern.
///
/// # Algorithm
/// A thread whose predicate does not hold puts a `Waiter` with the predicate into this queue, in the write section in
/// which it has seen that, and sleeps on the waiter's own word after it. At the end of each write section, still under the
/// lock, the writer looks whether the queue is empty (one load). If not, it evaluates the predicates (`serve`), and after
/// it has let the lock go it wakes those it has chosen:
///
/// - all threads whose predicate holds and that wait to read: they read side by side and take nothing from one another;
/// - of those that wait to write, the first one whose predicate holds, unless one is on its way already. The end of
///   that one's section is the end of a write section, which finds the next.
///
/// So a write that concerns several threads serves all of them, one after the other, and none wakes for nothing, unless
/// a thread that did not wait came in between (barging) and made its predicate false again.
///
/// # Predicates are evaluated by the writer
/// on behalf of the thread that sleeps. This is why they are `@Sendable`: the compiler refuses to capture what must not
/// be seen by another thread, and such a closure has no isolation (a closure formed on the main actor would have, and
/// would trap elsewhere). The alternative, waking a thread to let it look for itself, costs two
/// context switches for each thread that is not concerned, at each write: with 16 threads that take turns, 15 for nothing.
///
/// # States of a waiter
///
///     new ──append──▶ queued ──serve──▶ served ──its thread enters──▶ its section, or queued again
///                        └──── deadline ────▶ its thread enters ──▶ gone, or its section
///
/// A reader is taken out of the queue when it is served. A writer stays, in front, until its thread has the lock:
/// that it stands there is what "one is on its way" means.
///
/// # Invariants
/// 1. The queue, `isQueued` and `isServed` change only in write sections of the protector's lock.
/// 2. A thread sleeps only after it has queued its waiter in the write section in which it found the predicate false.
/// 3. When a write section lets the lock go, one of these is true of each queued waiter: its predicate is false of
///    the value that the section leaves behind; or it waits to write and another write waiter is served.
/// 4. A served write waiter's thread enters a write section, whatever its deadline says. There it runs its section,
///    or it finds its predicate false; in both cases, it calls `serve` if it was served. Nobody else keeps 3 for
///    those that `serve` passed over on its account.
/// 5. A served waiter's word becomes `served` exactly once, after the section that served it, by that section's
///    thread, which touches the waiter no more. The waiter's thread frees it, and arms it again, only after it has
///    seen that.
///
/// # Why no wake-up is lost
/// By 2 and 1 there is no moment between "the predicate is false" and "the waiter is in the queue" in which a write
/// could take place. A later write section takes the lock after that section let it go, so it sees the
/// queue: this is why its load can be a plain one, and why it stands before the unlock; after the unlock it could miss a
/// thread that queued itself in between, on a value older than the one it would have to see. It wakes after the unlock,
/// so that the woken thread does not run into the lock. From 3 and 4 by induction: when nobody is in a section and
/// nobody served is on its way, all queued predicates are false.
/// Between `awake` and `asleep` no wake-up is lost because both sides change the word by read-modify-writes: either the waker
/// finds `asleep`, and the thread sleeps only while that is the value, or the thread finds `served`.
///
/// A thread that was woken evaluates its predicate once more, under the lock: another one may have been there first.
///
/// # Why there is no stampede
/// At most one write waiter is served at a time, and it is one whose predicate holds.
///
/// # Timeouts
/// A deadline ends the sleep, not the wait: the thread enters once more, leaves the queue there, and runs its section if the
/// predicate holds now (a result that is late is better than none). If not, and it was served, it passes on what it was
/// woken for (4). `nil` is never early, because only a deadline that passed leads to it.
///
/// # Memory ordering
/// Everything but the words is guarded by the lock. A word becomes `served` with release and is looked at with acquire, so that
/// a thread gives its waiter up after all that others did with it. The value itself is read under the lock only.
///
/// # What it costs
/// Nobody waits: one load and a branch in a write section. Otherwise a write section evaluates up to as many predicates as
/// threads wait, and wakes those that it concerns. Waiting: a closure's memory block, and two further entries into the
/// lock. How a thread waits is told by `Patience`: it looks for about a microsecond, yields once, then sleeps.
@safe  // The pointer leads to a waiter that waits; it leaves the queue before its memory is given up.
@usableFromInline
struct WaitQueue: ~Copyable {
  /// The waiter that has waited for longest, after a served write waiter, if there is one.
  @usableFromInline
  var first: UnsafeMutablePointer<Waiter>?

  /// How often those who come next look before they sleep.
  @usableFromInline
  var patience = Patience()

  @usableFromInline
  init() {
    unsafe first = nil
  }

  @inlinable
  var isNotEmpty: Bool { unsafe first != nil }

  // Sound, for each `unsafe` below: the calling thread is in a write section, and a waiter in the queue stays until
  // it is taken out in a write section.

  // MARK: Serving

  /// Chooses the waiters to be woken after the section that calls it, at its end, with the value at `value`.
  @usableFromInline
  mutating func serve(_ value: UnsafeRawPointer) -> ServedWaiters {
    var served = ServedWaiters()
    var isWriterOnItsWay = unsafe first.map { unsafe !$0.pointee.isReading && $0.pointee.isServed } ?? false
    var candidate = unsafe first
    while let waiter = unsafe candidate {
      unsafe candidate = waiter.pointee.next
      let isReading = unsafe waiter.pointee.isReading
      guard isReading || !isWriterOnItsWay, unsafe waiter.pointee.isSatisfied(by: value) else { continue }
      unsafe remove(waiter)
      unsafe waiter.pointee.isServed = true
      if !isReading {
        unsafe prepend(waiter)
        isWriterOnItsWay = true
      }
      unsafe served.insert(waiter)
    }
    return served
  }

  // MARK: Coming and going

  /// Queues a waiter behind all others.
  @usableFromInline
  mutating func append(_ waiter: UnsafeMutablePointer<Waiter>) {
    guard let first = unsafe first else { return unsafe prepend(waiter) }
    let last = unsafe first.pointee.previous!
    unsafe last.pointee.next = waiter
    unsafe waiter.pointee.previous = last
    unsafe waiter.pointee.next = nil
    unsafe first.pointee.previous = waiter
    unsafe waiter.pointee.isQueued = true
  }

  /// Queues a waiter before all others.
  private mutating func prepend(_ waiter: UnsafeMutablePointer<Waiter>) {
    unsafe waiter.pointee.next = first
    if let first = unsafe first {
      unsafe waiter.pointee.previous = first.pointee.previous
      unsafe first.pointee.previous = waiter
    } else {
      unsafe waiter.pointee.previous = waiter
    }
    unsafe first = waiter
    unsafe waiter.pointee.isQueued = true
  }

  /// Takes a waiter out of the queue, if it is in it.
  @usableFromInline
  mutating func remove(_ waiter: UnsafeMutablePointer<Waiter>) {
    guard unsafe waiter.pointee.isQueued else { return }
    unsafe waiter.pointee.isQueued = false
    let next = unsafe waiter.pointee.next
    let previous = unsafe waiter.pointee.previous!
    if unsafe waiter == first {
      unsafe first = next
    } else {
      unsafe previous.pointee.next = next
    }
    // Behind the last one comes the first one, which knows the last one.
    if let follower = unsafe next ?? first { unsafe follower.pointee.previous = previous }
  }

  /// Lets a waiter that was woken in vain wait on: a writer in its place before all others, where it still is; a reader
  /// behind them, because the order of readers makes no difference.
  @usableFromInline
  mutating func waitOn(_ waiter: UnsafeMutablePointer<Waiter>) {
    unsafe waiter.pointee.isServed = false
    unsafe waiter.pointee.rearm()
    if unsafe !waiter.pointee.isQueued { unsafe append(waiter) }
  }
}
