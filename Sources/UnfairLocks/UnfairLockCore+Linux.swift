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
  /// One word.
  ///
  ///     bits 0…25   the owner's `ThreadIdentity`; 0 when nobody holds the lock
  ///     bit  30     handOver: the lock goes only to threads that have slept; set by one that was woken in vain too often
  ///     bit  31     waiters: threads sleep on the word, or are about to
  ///
  /// # Invariants
  /// 1. A thread is in a section if and only if the low bits are its number. Only that thread changes them then.
  /// 2. A thread sleeps only while the word is as it saw it, with `waiters` set. The kernel compares again before it
  ///    lets the thread sleep.
  /// 3. Unlocking with `waiters` set takes it away and wakes one sleeping thread. From then on that thread answers for
  ///    the others: it takes the lock with `waiters` set, or sees to it that `waiters` is set before it sleeps again or
  ///    gives up. A thread that was never woken answers for nobody. Hence no wake-up is lost; one too many may be sent.
  /// 4. `handOver` is set by a thread while another holds the lock, and taken away when a thread that has set it takes the
  ///    lock or gives up. Until then every unlocking hands the lock over: it stays free for a thread that has slept. There
  ///    is one: the thread that was woken or, where nobody was asleep, the one that set the flag, which is awake then and
  ///    looks again. A thread that gives up takes the flag away from a free lock together with `waiters`, and wakes one
  ///    thread for those that came to sleep because of it (`endHandOver`).
  /// 5. At rest (no thread in any operation) the word is 0.
  ///
  /// # Memory ordering
  /// The exchange that makes a thread the owner is acquiring; the one that ends its ownership is releasing. All other
  /// changes are relaxed read-modify-writes, which continue the release sequence they fall into.
  ///
  /// # Fairness
  /// Barging: the free lock goes to who comes first, which keeps it busy while woken threads are on their way. The kernel
  /// wakes in the order in which threads went to sleep. A thread that has been woken `wakeUpsBeforeHandOver` times and
  /// found the lock taken each time sets `handOver`; from then on the lock goes round among the sleeping threads until it
  /// has come to this one. So a wait is bounded by a number of sections, not by luck.
  ///
  /// # Deadlocks it permits
  /// Two locks in opposite orders; a section that waits for a thread which waits for the lock. Recursion traps, and so does
  /// unlocking on a thread that does not hold the lock.
  @usableFromInline
  struct UnfairLockCore: ~Copyable, Sendable {
    @usableFromInline
    let word: LockWord

    @inlinable
    init() {
      word = LockWord()
    }

    // MARK: State

    private static var waiters: UInt32 { 1 << 31 }

    private static var handOver: UInt32 { 1 << 30 }

    /// Few enough for a wait to stay short, and so many that short sections, of which a woken thread gets one before
    /// long, do without: handing over leaves the lock idle until the woken thread runs.
    private static var wakeUpsBeforeHandOver: Int { 4 }

    private static func has(_ flag: UInt32, _ state: UInt32) -> Bool { state & flag != 0 }

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
    borrowing func lock(for user: UnfairLockUser) {
      if !tryLock() { callOutOfLine(interlock_unfair_lock, word.key, user.rawValue) }
    }

    @inlinable
    borrowing func lock(timeout: Timeout, for user: UnfairLockUser) -> Bool {
      tryLock() || (!timeout.isZero && lockSlow(until: timeout.deadlineFromNow(), for: user))
    }

    @inlinable
    @inline(__always)
    borrowing func unlock(for user: UnfairLockUser) {
      let me = ThreadIdentity.current
      if !word.compareExchangeReleasing(expected: me, desired: 0).exchanged {
        callOutOfLine(interlock_unfair_unlock, word.key, user.rawValue)
      }
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
    borrowing func lockSlow(until deadline: Deadline, for user: UnfairLockUser) -> Bool {
      let me = ThreadIdentity.current
      var backoff = Backoff()
      var wakeUps = 0
      var hasSetHandOver = false
      var isLate = false
      while true {
        var state = word.loadRelaxed()
        if Self.owner(state) == me { user.trapRecursion() }

        // Look from time to time, without waiting in line behind those who sleep already.
        while Self.owner(state) != 0, !Self.has(Self.waiters, state), !isLate, backoff.spin() {
          state = word.loadRelaxed()
        }
        if Self.owner(state) == 0, wakeUps > 0 || !Self.has(Self.handOver, state) {
          var desired = state | me
          // A thread that was woken answers for those still asleep (invariant 3).
          if wakeUps > 0 { desired |= Self.waiters }
          if hasSetHandOver { desired &= ~Self.handOver }
          if word.compareExchangeAcquiring(expected: state, desired: desired).exchanged { return true }
          continue
        }

        var waiting = state | Self.waiters
        let wantsHandOver = wakeUps >= Self.wakeUpsBeforeHandOver && Self.owner(state) != 0
        if wantsHandOver { waiting |= Self.handOver }
        if waiting != state {
          guard word.compareExchangeRelaxed(expected: state, desired: waiting).exchanged else { continue }
          if wantsHandOver { hasSetHandOver = true }
        }

        // `waiters` is set: whoever unlocks wakes somebody, so giving up here leaves nobody behind.
        let outcome = isLate ? .timedOut : word.wait(while: waiting, until: deadline)
        switch outcome {
        case .timedOut:
          if hasSetHandOver { endHandOver() }
          return false
        case .notWaited: isLate = deadline.hasPassed
        case .woken: wakeUps += 1
        }
        backoff = Backoff()
      }
    }

    /// Releases the lock when others wait, and traps on a thread that does not hold it.
    @inline(never)
    fileprivate borrowing func unlockSlow(for user: UnfairLockUser) {
      var state = word.loadRelaxed()
      if Self.owner(state) != ThreadIdentity.current { user.trapNotOwner() }
      while true {
        let (exchanged, original) = word.compareExchangeReleasing(
          expected: state, desired: state & Self.handOver)
        if exchanged { break }
        state = original
      }
      word.wake(count: 1)
    }

    /// Takes `handOver` away, for the thread that set it and gives up; others that need it set it again.
    ///
    /// In a free lock threads may have come to sleep because of it: one of them is woken, and answers for the others.
    private borrowing func endHandOver() {
      while true {
        let state = word.loadRelaxed()
        guard Self.has(Self.handOver, state) else { return }
        let isFree = Self.owner(state) == 0
        let desired = isFree ? 0 : state & ~Self.handOver
        guard word.compareExchangeRelaxed(expected: state, desired: desired).exchanged else { continue }
        if isFree, Self.has(Self.waiters, state) { word.wake(count: 1) }
        return
      }
    }

    // MARK: Traps

    @usableFromInline
    @inline(never)
    static func trapDestroyed() -> Never {
      misuse(
        "UnfairLock", "destroyed while a thread holds it",
        "keep the lock alive until every section has ended")
    }
  }

  // MARK: - Slow paths beside inlined fast paths

  @c
  @usableFromInline
  func interlock_unfair_lock(_ key: UInt, _ user: UInt) -> UInt {
    borrow(UnfairLockCore.self, at: key) {
      $0.lockSlow(until: .never, for: UnfairLockUser(rawValue: user)) ? 1 : 0
    }
  }

  @c
  @usableFromInline
  func interlock_unfair_unlock(_ key: UInt, _ user: UInt) -> UInt {
    borrow(UnfairLockCore.self, at: key) { $0.unlockSlow(for: UnfairLockUser(rawValue: user)) }
    return 0
  }
#endif
