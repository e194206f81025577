#if os(Linux)
  public import PlatformLocks

  /// `UnfairLock` over a futex.
  ///
  /// # Why
  /// The mutex of the standard library waits on a priority-inheritance futex: from the first contention on, the kernel
  /// hands the lock from one sleeping thread to the next and every section costs two context switches. Here the kernel
  /// only puts to sleep and wakes up; the lock is taken in user space by whoever runs.
  ///
  /// # State
  /// One word: 0 when the lock is free, otherwise
  ///
  ///     bits 0…26   the owner's `ThreadIdentity`
  ///     bit  31     waiters: threads sleep on the word, or are about to
  ///
  /// # Invariants
  /// 1. A thread is in a section if and only if the low bits are its number.
  /// 2. A thread sleeps only while the word is one that it saw: held, with `waiters` set. The kernel compares again
  ///    before it lets the thread sleep.
  /// 3. Unlocking takes `waiters` away and wakes one sleeping thread. From then on that thread answers for the others:
  ///    it takes the lock with `waiters` set, or sees to it that `waiters` is set before it sleeps again or gives up.
  ///    A thread that was never woken answers for nobody. Hence no wake-up is lost; one too many may be sent.
  ///
  /// # Memory ordering
  /// The exchange that makes a thread the owner is acquiring; the one that ends its ownership is releasing. All other
  /// accesses are relaxed: they only decide whether to sleep.
  ///
  /// # Fairness
  /// Barging: the free lock goes to who comes first. The kernel wakes in the order in which threads went to sleep.
  ///
  /// # Deadlocks it permits
  /// Two locks in opposite orders; a section that waits for a thread which waits for the lock. Recursion traps.
  @usableFromInline
  struct UnfairLockCore: ~Copyable, Sendable {
    @usableFromInline
    let word: LockWord

    @inlinable
    init() {
      word = LockWord()
    }

    // MARK: State

    @inlinable
    static var waiters: UInt32 { 1 << 31 }

    private static func hasWaiters(_ state: UInt32) -> Bool { state & waiters != 0 }

    @inlinable
    static func owner(_ state: UInt32) -> UInt32 { state & ThreadIdentity.mask }

    // MARK: Fast paths

    @inlinable
    @inline(__always)
    borrowing func tryLock() -> Bool {
      word.compareExchangeAcquiring(expected: 0, desired: ThreadIdentity.current).exchanged
    }

    @inlinable
    @inline(__always)
    borrowing func lock() {
      if !tryLock() { _ = lockSlow(until: .never) }
    }

    @inlinable
    borrowing func lock(timeout: Duration) -> Bool {
      let timeout = Timeout(timeout, for: "UnfairLock")
      return tryLock() || (!timeout.isZero && lockSlow(until: timeout.deadlineFromNow()))
    }

    @inlinable
    @inline(__always)
    borrowing func unlock() {
      if word.exchangeReleasing(0) & Self.waiters != 0 { wakeOne() }
    }

    @inlinable
    borrowing func checkFree() {
      if word.loadRelaxed() != 0 { Self.trapDestroyed() }
    }

    @inlinable
    var isHeldByCurrentThread: Bool {
      Self.owner(word.loadRelaxed()) == ThreadIdentity.current
    }

    // MARK: Slow paths

    /// Takes the lock after a failed fast path; `false` when the deadline passed first.
    @usableFromInline
    @inline(never)
    borrowing func lockSlow(until deadline: Deadline) -> Bool {
      let me = ThreadIdentity.current
      var backoff = Backoff()
      var hasSlept = false
      var isLate = false
      while true {
        var state = word.loadRelaxed()
        if Self.owner(state) == me { Self.trapRecursion() }

        // Look from time to time, without waiting in line behind those who sleep already.
        while state != 0, !Self.hasWaiters(state), !isLate, backoff.spin() {
          state = word.loadRelaxed()
        }
        if state == 0 {
          // A thread that was woken answers for those still asleep (invariant 3).
          let desired = hasSlept ? me | Self.waiters : me
          if word.compareExchangeAcquiring(expected: 0, desired: desired).exchanged { return true }
          continue
        }
        if !Self.hasWaiters(state) {
          let desired = state | Self.waiters
          guard word.compareExchangeRelaxed(expected: state, desired: desired).exchanged else { continue }
          state = desired
        }

        // `waiters` is set: whoever unlocks wakes somebody, so giving up here leaves nobody behind.
        if isLate { return false }
        switch word.wait(while: state, until: deadline) {
        case .timedOut: return false
        case .notWaited: isLate = deadline.hasPassed
        case .woken: hasSlept = true
        }
        backoff = Backoff()
      }
    }

    @usableFromInline
    @inline(never)
    borrowing func wakeOne() {
      word.wake(count: 1)
    }

    // MARK: Traps

    @inline(never)
    private static func trapRecursion() -> Never {
      misuse(
        "UnfairLock", "locked by the thread that already holds it",
        "take it once, and call what needs it from outside the section")
    }

    @usableFromInline
    @inline(never)
    static func trapDestroyed() -> Never {
      misuse(
        "UnfairLock", "destroyed while a thread holds it",
        "keep the lock alive until every section has ended")
    }
  }
#endif
