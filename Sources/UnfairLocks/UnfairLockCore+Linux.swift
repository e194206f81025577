#if os(Linux)
  public import PlatformLocks

  /// `UnfairLock` over a futex.
  ///
  /// # Why
  /// The mutex of the standard library waits on a priority-inheritance futex. From the first contention on,
  /// the kernel hands that lock from one sleeping thread to the next, and every critical section costs two
  /// context switches. Here the kernel only puts threads to sleep and wakes them. Running threads acquire the
  /// lock in user space.
  ///
  /// # State
  /// One word.
  ///
  ///     bits 0…25   the owner's `ThreadIdentity`; 0 when no thread holds the lock
  ///     bit  30     handOver: only threads that have slept may acquire; set after too many wake-ups in vain
  ///     bit  31     waiters: threads sleep on the word, or are about to
  ///
  /// # Invariants
  /// 1. A thread holds the lock if and only if the low bits are its number. While it does, only that thread
  ///    changes them.
  /// 2. A thread sleeps only while the word still has the value that the thread saw, with `waiters` set. The
  ///    kernel compares again before it puts the thread to sleep.
  /// 3. Unlocking with `waiters` set clears the flag and wakes one sleeping thread. That thread is then
  ///    responsible for the others: it acquires the lock with `waiters` set, or ensures that `waiters` is set
  ///    before it sleeps again or gives up. A thread that was never woken has no such duty. So no wake-up is
  ///    lost, and one too many may be sent.
  /// 4. A thread sets `handOver` while another one holds the lock. The flag is cleared when a thread that set
  ///    it acquires the lock or gives up. Until then every unlock leaves the lock free for a thread that has
  ///    slept. There always is one: the thread that was woken or, if none was asleep, the thread that set the
  ///    flag, which is awake and looks again. A thread that gives up clears the flag on a free lock together
  ///    with `waiters`. It then wakes one of the threads that went to sleep because of the flag
  ///    (`endHandOver`).
  /// 5. At rest (no thread in any operation) the word is 0.
  ///
  /// # Memory ordering
  /// The exchange that makes a thread the owner is acquiring. The one that ends its ownership is releasing.
  /// All other changes are relaxed read-modify-writes, which continue the release sequence in which they
  /// occur.
  ///
  /// # Fairness
  /// Barging: the first thread to arrive acquires a free lock, which keeps the lock busy while woken threads
  /// are not running yet. The kernel wakes threads in the order in which they went to sleep. A thread that
  /// was woken `wakeUpsBeforeHandOver` times and found the lock taken each time sets `handOver`. From then on
  /// the lock is handed from one sleeping thread to the next, until this thread has it. So the number of
  /// critical sections that a thread waits for is bounded.
  ///
  /// # Deadlocks it permits
  /// Two locks in opposite orders; a critical section that waits for a thread which waits for the lock.
  /// Recursion traps. Unlocking on a thread that does not hold the lock traps.
  @usableFromInline
  @frozen
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

    /// Small enough to keep a wait short, and large enough that short critical sections need no hand-over.
    ///
    /// A woken thread soon gets one of those anyway, and a hand-over leaves the lock idle until the woken
    /// thread runs.
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

    /// Acquires the lock after a failed fast path.
    ///
    /// Returns `false` when the deadline passed first.
    @usableFromInline
    @inline(never)
    borrowing func lockSlow(until deadline: Deadline, for user: UnfairLockUser) -> Bool {
      let me = ThreadIdentity.current
      var backoff = Backoff()
      var wakeUps = 0
      var hasSetHandOver = false
      var isLate = false
      var wait = RecordedWait(for: word.key, user.waitKind)
      while true {
        var state = word.loadRelaxed()
        if Self.owner(state) == me { user.trapRecursion() }

        // Spin, unless threads already sleep on the lock.
        while Self.owner(state) != 0, !Self.has(Self.waiters, state), !isLate, backoff.spin() {
          state = word.loadRelaxed()
        }
        if Self.owner(state) == 0, wakeUps > 0 || !Self.has(Self.handOver, state) {
          var desired = state | me
          // A woken thread is responsible for those still asleep (invariant 3).
          if wakeUps > 0 { desired |= Self.waiters }
          if hasSetHandOver { desired &= ~Self.handOver }
          if word.compareExchangeAcquiring(expected: state, desired: desired).exchanged { return true }
          continue
        }

        if wait.willSleep() { continue }
        var waiting = state | Self.waiters
        let wantsHandOver = wakeUps >= Self.wakeUpsBeforeHandOver && Self.owner(state) != 0
        if wantsHandOver { waiting |= Self.handOver }
        if waiting != state {
          guard word.compareExchangeRelaxed(expected: state, desired: waiting).exchanged else { continue }
          if wantsHandOver { hasSetHandOver = true }
        }

        // `waiters` is set, so the next unlock wakes a thread. Giving up here loses no wake-up.
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

    /// Releases the lock when threads wait for it.
    ///
    /// Traps on a thread that does not hold the lock.
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
      WaitHooks.didRelease(word.key)
      word.wake(count: 1)
    }

    /// Clears `handOver` for a thread that set it and gives up.
    ///
    /// Other threads that need the flag set it again.
    ///
    /// Threads may have gone to sleep on a free lock because of the flag. One of them is woken, and becomes
    /// responsible for the others.
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

  #if compiler(>=6.3)
    @c
  #endif
  @usableFromInline
  func interlock_unfair_lock(_ key: UInt, _ user: UInt) -> UInt {
    borrow(UnfairLockCore.self, at: key) {
      $0.lockSlow(until: .never, for: UnfairLockUser(rawValue: user)) ? 1 : 0
    }
  }

  #if compiler(>=6.3)
    @c
  #endif
  @usableFromInline
  func interlock_unfair_unlock(_ key: UInt, _ user: UInt) -> UInt {
    borrow(UnfairLockCore.self, at: key) { $0.unlockSlow(for: UnfairLockUser(rawValue: user)) }
    return 0
  }
#endif
