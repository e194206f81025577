public import PlatformLocks
internal import UnfairLocks

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
/// lock, the writer looks whether the queue is empty (one relaxed load). If not, it evaluates the predicates (`serve`), and after
/// it has released the lock it wakes those it has chosen:
///
/// - all threads whose predicate holds and that wait to read: they read side by side and take nothing from one another;
/// - of those that wait to write, one whose predicate holds, unless one is on its way already. The end of that one's
///   section is the end of a write section, which finds the next.
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
/// # Order
/// Of those that wait to write, and whose predicates hold, a thread that has not fallen asleep yet is served before one that
/// has, which takes a hundred times as long to come; apart from that, the one that came first. So where threads hand
/// much to one another, as many of them stay awake as are needed, and the others sleep. At every 64th time
/// that sleepers are passed over for one behind them, the first of these sleepers becomes *due*: from then on it is treated
/// as one that is awake, until it has had its section. So a thread with *k* write waiters before it is overtaken at most
/// (*k* + 1) × 64 times, whoever else is served in between. (One that was woken in vain waits on before all
/// others, and counts as one more.) Those whose predicates never hold stand in nobody's way. (Latches that wake the last
/// one to come, such as Folly's `LifoSem`, have the same reason, and no bound.)
///
/// # States of a waiter
///
///     new ──append──▶ queued ◀──────▶ examined ──serve──▶ served ─notify─▶ its thread enters
///                        │               │                  ▲                │        │
///                     deadline        deadline         ▲    passOn           ▼        ▼
///                        ▼               ▼             │      │        its section   queued again
///                       gone          leaving ─────────┘   another one that had to give up
///                                        └─────▶ gone
///
/// A reader is taken out of the queue when it is served. A writer stays, in front, until its thread has the lock or
/// gives up: that it stands there is what "one is on its way" means.
///
/// # Giving up
/// A thread whose deadline passes leaves without the protector's lock, which others may hold for as long as they like:
///
/// - **queued**: it takes its waiter out of the queue, under the `gate`, and is gone (`leave`).
/// - **examined**: a writer evaluates its predicate at this moment, which may read what is on this thread's stack. It
///   marks the waiter as leaving, and waits until the writer has come back from the predicate. If that holds, the waiter
///   is served like any other. If not, the writer takes it out of the queue and tells it so at once.
/// - **served**: it is notified at once after the section that served it, of which nothing but the rest of `serve` and
///   the unlocking is left. It tries to enter; where the deadline has passed and the lock can't be had, it gives up.
///   A writer then answers for those that were passed over because it was on its way: it makes the next write waiter,
///   whoever that is and without a look at its predicate, the one that is on its way (`passOn`). That one finds out for
///   itself, and if it was woken in vain, serves the rest. This is the one case in which a thread is woken without
///   cause, at most once for each thread that gives up.
///
/// A thread that is gone looks once more, where the lock can be tried: the value may suit it, and the writer that was
/// chosen before it may not have come yet. Its waiter is in no queue then, so a look in vain changes nothing.
///
/// # Who may touch what
/// The list, and all of a waiter's marks, are changed
///
/// - by a thread in a write section, in steps (`inOneStep`) that hold the `gate` if `leavers`, the number of queued
///   waiters with a deadline, is not zero;
/// - by a thread that gives up, while it holds the `gate`.
///
/// The number grows only in write sections. So a writer that finds it zero is alone with the queue until it lets the
/// lock go, and who waits without a deadline costs no gate. A thread that leaves takes itself off that number as the
/// last thing that it does to the queue.
///
/// The gate is held for a few steps along the list, never for a predicate or a wake-up; no other lock is taken under it.
/// Between two steps of `serve` others may leave; what `serve` stands on stays, because it is marked as examined.
///
/// # Invariants
/// 1. A waiter comes into the queue only in the write section in which its thread found the predicate false.
/// 2. A thread sleeps only after it has queued its waiter.
/// 3. When a write section releases the lock, one of these is true of each queued waiter: its predicate is false of
///    the value that the section leaves behind; or it waits to write and another write waiter is served, or has just
///    passed on what it was served for.
/// 4. Who makes a write waiter the served one, sets its word to `notified`. That waiter's thread enters a write section, where
///    it runs its section or finds its predicate false, and calls `serve` in both cases; or it calls `passOn`. Nobody else
///    keeps 3 for those that were passed over on its account.
/// 5. At most one write waiter is served, and it is the first in the queue.
/// 6. A waiter that is served, or was examined while its thread wanted to leave, is notified exactly once, by the thread that
///    served or examined it, which touches it no more. The waiter's thread frees it, and arms it again, only after it
///    has seen that. A thread that frees its waiter without having been notified has taken it out of the queue itself, and
///    it was neither examined nor served then.
///
/// # Why no wake-up is lost
/// By 1 and 2 there is no moment between "the predicate is false" and "the waiter is in the queue" in which a write
/// could take place. A later write section takes the lock after that section released it, so it sees the
/// queue: this is why its load can be a relaxed one, and why it stands before the unlock; after the unlock it could miss a
/// thread that queued itself in between, on a value older than the one it would have to see. (The load may still find
/// a waiter that has left by now, and then `serve` finds nobody; it can't find nobody where somebody queued, because
/// who leaves stores under the gate, after those who queued before.) The writer wakes after the unlock, so that the
/// woken thread does not run into the lock. From 3 and 4 by induction: when nobody is in a section and nobody served is
/// on its way, all queued predicates are false. A thread that gives up unserved takes nothing along, because nobody was
/// passed over on its account.
/// Between `awake` and `asleep` no wake-up is lost because both sides change the word by read-modify-writes: either the waker
/// finds `asleep`, and the thread sleeps only while that is the value, or the thread finds `notified`.
///
/// A thread that was woken evaluates its predicate once more, under the lock: another one may have been there first.
///
/// # Why there is no stampede
/// At most one write waiter is served at a time, and it is one whose predicate holds, but for `passOn`.
///
/// # Timeouts
/// `nil` is never early, because only a deadline that passed leads to it. How late it may be does not depend on how long
/// the bodies of others hold the lock: the longest of its waits is that for the evaluation of predicates, at the end of the
/// section that has made its own true. (Where the protector's lock is no
/// `TimedReadWriteLock`, a thread that has begun to wait for the lock before its deadline waits until it has it.)
///
/// # Memory ordering
/// Everything but the words is guarded by the lock and the gate. Whether a thread sleeps is read from its word without any
/// order: the answer decides who is preferred, and may be out of date. `leavers` is lowered with release, as the last step of who
/// leaves, and read with acquire: a writer that finds zero sees what those who left did to the queue. It is raised in write
/// sections, whose lock orders it. `first` is written under the same guard and is an atomic only for the load at the end of
/// write sections, which is made without the gate. A word becomes `notified` with release and is looked at with acquire, so that
/// a thread gives its waiter up after all that others did with it. The value itself is read under the lock only.
///
/// # What it costs
/// Nobody waits: one load and a branch in a write section, which saves no registers for more. Otherwise a write section evaluates up to as many predicates as
/// threads wait, and wakes those that it concerns; and takes the gate once for each of these predicates, and once more, if
/// somebody waits with a deadline. Waiting: a closure's memory block, and two further entries into the
/// lock. How a thread waits, and for how long it looks before it sleeps, is decided by `AdaptiveSpin`.
///
/// `Tests/Models` has this algorithm as a model that is checked exhaustively.
// Sendable: the section above says what guards the queue. `@safe`: its pointers lead to waiters that wait; they leave
// the queue before their memory is given up.
@safe
@usableFromInline
struct WaitQueue: ~Copyable, @unchecked Sendable {
  /// The waiter that has waited for longest, after a served write waiter, if there is one.
  @usableFromInline
  let first: AtomicPointer<Waiter>

  /// How many of those in the queue have a deadline.
  private let leavers = LockWord()

  /// Keeps apart who leaves, and writers.
  private let gate = UnfairLock()

  @usableFromInline
  init() {
    unsafe first = AtomicPointer()
  }

  @inlinable
  @inline(__always)
  var isNotEmpty: Bool { unsafe first.load(.relaxed) != nil }

  // Sound, for each `unsafe` below: the calling thread has the queue as described under "who may touch what", and a
  // waiter in the queue stays in its place until it is out of it.

  /// Runs `step` while nobody leaves; in a write section.
  private borrowing func inOneStep(_ step: () -> Void) {
    if leavers.loadAcquiring() == 0 { step() } else { gate.withLock { step() } }
  }

  // MARK: Serving

  /// A walk along the queue, and whom it considers.
  private enum Pass {
    /// Those that wait to write and do not sleep, or are due.
    case overtaking
    /// All.
    case inOrder
  }

  /// Chooses the waiters to be notified after the section that calls it, at its end, with the value at `value`.
  @inlinable
  @inline(__always)
  borrowing func serve(_ value: UnsafeRawPointer) -> ServedWaiters {
    // `first` stands at the beginning of the queue, as a lock's word does.
    let key = unsafe withUnsafePointer(to: first) { UInt(bitPattern: $0) &- lockKeyOffset }
    let bits = callOutOfLine(interlock_protector_serve, key, UInt(bitPattern: value))
    return ServedWaiters(bits: bits)
  }

  fileprivate borrowing func serveSlow(_ value: UnsafeRawPointer) -> ServedWaiters {
    var served = ServedWaiters()
    var pass = Pass.overtaking
    var examined: UnsafeMutablePointer<Waiter>?
    inOneStep { unsafe examined = examine(first.load(.relaxed), &pass) }
    while let waiter = unsafe examined {
      let holds = unsafe waiter.pointee.isSatisfied(by: value)
      var isGone = false
      inOneStep {
        unsafe waiter.pointee.isExamined = false
        let next = unsafe waiter.pointee.next
        if holds {
          // Also where its thread wants to leave meanwhile: it has not waited in vain.
          if pass == .overtaking { unsafe countOvertaking(by: waiter) }
          unsafe makeServed(waiter)
          unsafe served.insert(waiter)
        } else if unsafe waiter.pointee.isLeaving {
          isGone = true
          unsafe remove(waiter)
        } else if pass == .overtaking {
          unsafe waiter.pointee.isPassedOver = true
        }
        unsafe examined = examine(next, &pass)
      }
      if isGone { unsafe Waiter.notify(waiter) }
    }
    return served
  }

  /// Marks the first waiter from `start` on whose predicate is to be looked at, and returns it; behind the last one
  /// to overtake others, the first one of the pass in order.
  private borrowing func examine(
    _ start: UnsafeMutablePointer<Waiter>?, _ pass: inout Pass
  ) -> UnsafeMutablePointer<Waiter>? {
    var candidate = unsafe start
    while true {
      while let waiter = unsafe candidate {
        if unsafe pass == .inOrder && waiter.pointee.isPassedOver {
          unsafe waiter.pointee.isPassedOver = false
        } else if unsafe isToBeExamined(waiter, pass) {
          unsafe waiter.pointee.isExamined = true
          return unsafe waiter
        }
        unsafe candidate = waiter.pointee.next
      }
      if pass == .inOrder { return nil }
      pass = .inOrder
      unsafe candidate = first.load(.relaxed)
    }
  }

  private borrowing func isToBeExamined(_ waiter: UnsafeMutablePointer<Waiter>, _ pass: Pass) -> Bool {
    if unsafe waiter.pointee.isReading { return pass == .inOrder }
    return unsafe !isWriterOnItsWay
      && (pass == .inOrder || waiter.pointee.isDue || !waiter.pointee.isAsleep)
  }

  /// Counts that a write waiter is about to be served in the pass of overtaking, if it overtakes others: those before it
  /// whose predicates this pass has not looked at.
  private borrowing func countOvertaking(by waiter: UnsafeMutablePointer<Waiter>) {
    var candidate = unsafe first.load(.relaxed)
    while let other = unsafe candidate, unsafe other != waiter {
      if unsafe other.pointee.isReading || other.pointee.isPassedOver {
        unsafe candidate = other.pointee.next
        continue
      }
      if unsafe !other.pointee.isDue { unsafe other.pointee.overtakings += 1 }
      return
    }
  }

  /// Whether a write waiter has been served that has yet to enter.
  private var isWriterOnItsWay: Bool {
    guard let first = unsafe first.load(.relaxed) else { return false }
    return unsafe !first.pointee.isReading && first.pointee.isServed
  }

  /// Lets a reader out of the queue, a writer to the front of it: who does this tells it later.
  private borrowing func makeServed(_ waiter: UnsafeMutablePointer<Waiter>) {
    unsafe waiter.pointee.isServed = true
    if unsafe waiter.pointee.isReading {
      unsafe remove(waiter)
    } else {
      unsafe unlink(waiter)
      unsafe linkFirst(waiter)
    }
  }

  // MARK: Coming and going, in write sections

  /// Queues a waiter behind all others.
  @usableFromInline
  borrowing func append(_ waiter: UnsafeMutablePointer<Waiter>) {
    inOneStep {
      unsafe linkLast(waiter)
      unsafe waiter.pointee.isQueued = true
      if unsafe waiter.pointee.mayLeave { leavers.addReleasing(1) }
    }
  }

  /// Takes the waiter of the calling thread, which was served, out of the queue if it is in it.
  @usableFromInline
  borrowing func arrive(_ waiter: UnsafeMutablePointer<Waiter>) {
    inOneStep { unsafe remove(waiter) }
  }

  /// Lets the waiter of the calling thread, which was woken in vain, wait on: a writer in its place before all others,
  /// where it still is; a reader behind them, because the order of readers makes no difference.
  @usableFromInline
  borrowing func waitOn(_ waiter: UnsafeMutablePointer<Waiter>) {
    unsafe waiter.pointee.rearm()
    var isQueued = false
    inOneStep {
      unsafe waiter.pointee.isServed = false
      unsafe waiter.pointee.isLeaving = false
      unsafe isQueued = waiter.pointee.isQueued
    }
    if !isQueued { unsafe append(waiter) }
  }

  // MARK: Giving up, outside of sections

  /// Takes the waiter of the calling thread, whose deadline has passed in its sleep, out of the queue; `false` when it was
  /// served, and has been notified.
  ///
  /// It waits for the end of the predicate, where that is evaluated at this moment, and is served if it holds; and for the
  /// end of the section that serves it.
  @usableFromInline
  borrowing func leave(_ waiter: UnsafeMutablePointer<Waiter>) -> Bool {
    var isServed = false
    var isExamined = false
    gate.withLock {
      unsafe isServed = waiter.pointee.isServed
      unsafe isExamined = waiter.pointee.isExamined
      if isExamined {
        unsafe waiter.pointee.isLeaving = true
      } else if !isServed {
        unsafe remove(waiter)
      }
    }
    guard isServed || isExamined else { return true }
    unsafe waiter.pointee.sleepUntilNotified()
    // Nobody else changes it any more.
    return unsafe !waiter.pointee.isServed
  }

  /// Takes the waiter of the calling thread, which was served and notified and can't enter, out of the queue if it is in it,
  /// and makes the next one that waits to write enter in its place.
  @usableFromInline
  borrowing func passOn(_ waiter: UnsafeMutablePointer<Waiter>) {
    var next: UnsafeMutablePointer<Waiter>?
    gate.withLock {
      guard unsafe waiter.pointee.isQueued else { return }
      unsafe next = waiter.pointee.next
      while let candidate = unsafe next, unsafe candidate.pointee.isReading {
        unsafe next = candidate.pointee.next
      }
      if let next = unsafe next { unsafe makeServed(next) }
      unsafe remove(waiter)
    }
    if let next = unsafe next { unsafe Waiter.notify(next) }
  }

  // MARK: The list

  /// Takes a waiter out of the queue, if it is in it.
  private borrowing func remove(_ waiter: UnsafeMutablePointer<Waiter>) {
    guard unsafe waiter.pointee.isQueued else { return }
    unsafe unlink(waiter)
    unsafe waiter.pointee.isQueued = false
    if unsafe waiter.pointee.mayLeave { _ = leavers.subtractReleasing(1) }
  }

  private borrowing func linkLast(_ waiter: UnsafeMutablePointer<Waiter>) {
    guard let first = unsafe first.load(.relaxed) else { return unsafe linkFirst(waiter) }
    let last = unsafe first.pointee.previous!
    unsafe last.pointee.next = waiter
    unsafe waiter.pointee.previous = last
    unsafe waiter.pointee.next = nil
    unsafe first.pointee.previous = waiter
  }

  private borrowing func linkFirst(_ waiter: UnsafeMutablePointer<Waiter>) {
    let second = unsafe first.load(.relaxed)
    unsafe waiter.pointee.next = second
    if let second = unsafe second {
      unsafe waiter.pointee.previous = second.pointee.previous
      unsafe second.pointee.previous = waiter
    } else {
      unsafe waiter.pointee.previous = waiter
    }
    unsafe first.store(waiter, .relaxed)
  }

  private borrowing func unlink(_ waiter: UnsafeMutablePointer<Waiter>) {
    let next = unsafe waiter.pointee.next
    let previous = unsafe waiter.pointee.previous!
    let oldFirst = unsafe first.load(.relaxed)
    let newFirst = unsafe waiter == oldFirst ? next : oldFirst
    if unsafe waiter == oldFirst {
      unsafe first.store(next, .relaxed)
    } else {
      unsafe previous.pointee.next = next
    }
    // Behind the last one comes the first one, which knows the last one.
    if let follower = unsafe next ?? newFirst { unsafe follower.pointee.previous = previous }
  }
}

// MARK: Slow paths beside inlined fast paths

@c
@usableFromInline
func interlock_protector_serve(_ key: UInt, _ value: UInt) -> UInt {
  // Sound: the value's address, which `serve` was given.
  borrow(WaitQueue.self, at: key) { unsafe $0.serveSlow(UnsafeRawPointer(bitPattern: value)!).bits }
}

@c
@usableFromInline
func interlock_protector_wake(_ served: UInt, _: UInt) -> UInt {
  ServedWaiters(bits: served).wakeSlow()
  return 0
}
