#if os(Linux)

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
  ///     bits 0…24   the owner's `ThreadIdentity`; 0 when no thread holds the lock
  ///     bit  26     reserved: only the served thread may acquire (`ReservableLock`)
  ///     bit  30     handOver: only threads that have slept may acquire; set after too many failed wake-ups
  ///     bit  31     waiters: threads sleep on the word, or are about to
  ///
  /// # Invariants
  /// 1. A thread holds the lock if and only if bits 0…24 are its `ThreadIdentity`. While a thread holds the
  ///    lock, only that thread changes these bits, and `reserved`.
  /// 2. A thread goes to sleep only while the word has the value that the thread saw last, with `waiters`
  ///    set. The kernel compares the two values before it puts the thread to sleep.
  /// 3. Unlocking with `waiters` set clears the flag and wakes one sleeping thread. The woken thread is then
  ///    responsible for the others. It acquires the lock with `waiters` set, or ensures that `waiters` is set
  ///    before it sleeps again or gives up. So no wake-up is lost, but a needless one may be sent.
  /// 4. A thread sets `handOver` only while another thread holds the lock. A thread that has set the flag
  ///    clears it when it acquires the lock or gives up. While the flag is set, only a thread that has slept
  ///    may acquire the free lock. Such a thread always comes: an unlock wakes a sleeping thread. If none
  ///    sleeps, the thread that set the flag is awake and tries again. Other threads may go to sleep on the
  ///    free lock because of the flag. So a thread that gives up while the lock is free clears `waiters`
  ///    together with `handOver`, and wakes one sleeping thread (`endHandOver`).
  /// 5. The owner sets `reserved` before it releases the lock, and only for a thread that calls `lockServed`, which
  ///    clears the flag. Until then the flag counts as an owner for all others, and each release wakes all threads.
  /// 6. While no thread holds the lock, runs a function of this type, or has a reservation, the word is 0.
  ///
  /// # Memory ordering
  /// The compare-exchange that makes a thread the owner has acquire ordering, and the one that ends its
  /// ownership has release ordering. All other changes are relaxed read-modify-writes, which continue the
  /// release sequence in which they occur.
  ///
  /// # Fairness
  /// Barging: the first thread to arrive acquires a free lock. This keeps the lock busy until woken threads
  /// run. The kernel wakes threads in the order in which they went to sleep. A thread that was woken
  /// `wakeUpsBeforeHandOver` times and found the lock taken each time sets `handOver`. From then on the lock
  /// is handed from one sleeping thread to the next, until this thread has it. So the number of critical
  /// sections that a thread waits for is bounded. A thread that finds the flag set need not set it, because
  /// the lock is already being handed over. When the thread that has set the flag clears it, the next thread
  /// that is woken in vain sets it again.
  ///
  /// # Deadlocks it permits
  /// Two threads that acquire two locks in opposite orders deadlock. So does a critical section that waits
  /// for a thread that needs the lock. Recursion traps, and so does unlocking on a thread that does not hold
  /// the lock.
  @usableFromInline
  @frozen
  package struct UnfairLockCore: ~Copyable, Sendable {
    @usableFromInline
    let word: LockWord

    @_alwaysEmitIntoClient
    package init() {
      word = LockWord()
    }

    // MARK: State

    private static var waiters: UInt32 { 1 << 31 }

    private static var handOver: UInt32 { 1 << 30 }

    private static var reserved: UInt32 { ReservableLock.reserved }

    /// Whether the lock can be a `ReservableLock`.
    package static var isReservable: Bool { true }

    /// A thread that was woken this many times without acquiring the lock sets `handOver`.
    ///
    /// The number is small enough to keep a wait short, and large enough that short critical sections need no
    /// hand-over. A hand-over leaves the lock idle until the woken thread runs.
    private static var wakeUpsBeforeHandOver: Int {
      // In explorations it is 1, so that schedules with a hand-over need fewer threads and steps.
      ExploredThreads.current == nil ? 4 : 1
    }

    private static func has(_ flag: UInt32, _ state: UInt32) -> Bool { state & flag != 0 }

    @_alwaysEmitIntoClient
    static func owner(_ state: UInt32) -> UInt32 { state & ThreadIdentity.mask }

    /// Whether no thread holds the lock, and it is reserved for no other than the calling thread.
    private static func isFree(_ state: UInt32, forServed isServed: Bool = false) -> Bool {
      owner(state) == 0 && (isServed || !has(reserved, state))
    }

    // MARK: Fast paths

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func tryLock(waits: Bool = false) -> Bool {
      word.compareExchangeAcquiring(expected: 0, desired: ThreadIdentity.current, waits: waits).exchanged
    }

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func lock(until deadline: Deadline = .never, for primitive: Primitive) -> Bool {
      tryLock(waits: deadline == .never) || deadline != .passed && lockSlow(until: deadline, for: primitive)
    }

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func unlock(for primitive: Primitive) {
      let me = ThreadIdentity.current
      if !word.compareExchangeReleasing(expected: me, desired: 0).exchanged {
        unlockSlow(for: primitive)
      }
    }

    @_alwaysEmitIntoClient
    package borrowing func checkFree(for primitive: @autoclosure () -> Primitive) {
      if word.loadRelaxed() != 0 { primitive().trapDestroyed() }
    }

    @_alwaysEmitIntoClient
    package var isHeldByCurrentThread: Bool {
      Self.owner(word.loadRelaxed()) == ThreadIdentity.current
    }

    /// Acquires the lock for the thread for which it may be reserved.
    package borrowing func lockServed(until deadline: Deadline, for primitive: Primitive) -> Bool {
      tryLock() || lockSlow(until: deadline, for: primitive, isServed: true)
    }

    // MARK: Slow paths

    private static let holder: HolderLookup = { key in
      borrow(UnfairLockCore.self, at: key) { UInt64(owner($0.word.loadRelaxed())) }
    }

    /// Acquires the lock after the fast path has failed, and returns `true`.
    ///
    /// Returns `false` when the deadline passed first. Traps if the calling thread holds the lock.
    @usableFromInline
    @inline(never)
    borrowing func lockSlow(until deadline: Deadline, for primitive: Primitive) -> Bool {
      lockSlow(until: deadline, for: primitive, isServed: false)
    }

    @inline(__always)
    private borrowing func lockSlow(
      until deadline: Deadline, for primitive: Primitive, isServed: Bool
    ) -> Bool {
      let me = ThreadIdentity.current
      var backoff = Backoff()
      var wakeUps = 0
      var hasSetHandOver = false
      var isLate = false
      var wait = Probe.Wait(for: word.key, primitive, heldBy: Self.holder)
      while true {
        var state = word.loadRelaxed()
        if Self.owner(state) == me { primitive.trapRecursion() }

        // Spin for a bounded time while another thread holds the lock. If threads sleep on it already, the
        // wait is probably long.
        while !Self.isFree(state, forServed: isServed), !Self.has(Self.waiters, state), !isLate,
          backoff.spin()
        {
          state = word.loadRelaxed()
        }
        let mayBarge = !Self.has(Self.handOver, state) || Self.has(Self.reserved, state)
        if Self.isFree(state, forServed: isServed), wakeUps > 0 || mayBarge {
          var desired = state & ~Self.reserved | me
          // The unlock that woke this thread cleared `waiters`. Other threads may still sleep, so set the
          // flag again (invariant 3).
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

        // A thread that gives up here loses no wake-up: `waiters` is set, so the next unlock wakes a thread.
        let outcome = isLate ? .timedOut : word.wait(while: waiting, until: deadline)
        switch outcome {
        case .timedOut:
          if hasSetHandOver { endHandOver() }
          return false
        case .notWaited: isLate = deadline.hasPassed
        default: wakeUps += 1
        }
        backoff = Backoff()
      }
    }

    /// Releases the lock after the fast path has failed, and wakes one sleeping thread.
    ///
    /// Traps if the calling thread does not hold the lock.
    @usableFromInline
    @inline(never)
    borrowing func unlockSlow(for primitive: Primitive) {
      var state = word.loadRelaxed()
      if Self.owner(state) != ThreadIdentity.current { primitive.trapNotOwner() }
      while true {
        let kept = state & (Self.handOver | Self.reserved)
        let (exchanged, original) = word.compareExchangeReleasing(expected: state, desired: kept)
        if exchanged { break }
        state = original
      }
      Probe.willWake(word.key)
      word.wake(count: Self.has(Self.reserved, state) ? .max : 1)
    }

    /// Clears `handOver`, for a thread that has set the flag and gives up.
    ///
    /// Other threads that need the flag set it again. If the lock is free, threads may have gone to sleep
    /// because of the flag. In that case this function also clears `waiters` and wakes one of these threads.
    /// The woken thread sets `waiters` again for the threads that still sleep (invariant 3).
    private borrowing func endHandOver() {
      while true {
        let state = word.loadRelaxed()
        guard Self.has(Self.handOver, state) else { return }
        let isFree = Self.isFree(state)
        let desired = isFree ? 0 : state & ~Self.handOver
        guard word.compareExchangeRelaxed(expected: state, desired: desired).exchanged else { continue }
        if isFree, Self.has(Self.waiters, state) { word.wake(count: 1) }
        return
      }
    }
  }
#endif
