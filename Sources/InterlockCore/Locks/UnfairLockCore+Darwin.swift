#if canImport(Darwin) || DarwinShim
  #if DarwinShim
    internal import CDarwinShim
  #else
    internal import Darwin
  #endif

  /// `UnfairLock` over `os_unfair_lock`, which donates the priority of waiting threads to the owner.
  ///
  /// The system's lock is one 32-bit word, which is 0 when the lock is free. It must not move, so it is
  /// stored in a `LockWord`: an atomic has a stable address inside the value that contains it. The system
  /// traps on recursion, and on unlocking by another thread, with its own message. This type checks for both
  /// first, and its messages name the type that the program uses, for instance `AtomicProperty`.
  @usableFromInline
  @frozen
  package struct UnfairLockCore: ~Copyable, Sendable {
    private let word: LockWord

    /// Whether the lock can be a `ReservableLock`: the system's word has no bit for that.
    package static var isReservable: Bool { false }

    package borrowing func lockServed(until deadline: Deadline, for primitive: Primitive) -> Bool {
      lock(until: deadline, for: primitive)
    }

    @usableFromInline
    package init() {
      word = LockWord()
    }

    private borrowing func withSystemLock<R>(_ body: (os_unfair_lock_t) -> R) -> R {
      unsafe word.withAddress { address in
        // Sound: the word has the size and alignment of `os_unfair_lock`, and a stable address. Only the
        // system's functions change it; this type itself only loads it atomically.
        unsafe body(UnsafeMutableRawPointer(mutating: address).assumingMemoryBound(to: os_unfair_lock.self))
      }
    }

    /// Acquires the lock, and returns whether that was possible until `deadline`.
    ///
    /// With a deadline it polls the lock, because the system has no such function. Between attempts the thread
    /// spins at first, and later yields the processor.
    @usableFromInline
    package borrowing func lock(until deadline: Deadline = .never, for primitive: Primitive) -> Bool {
      if tryLock() { return true }
      if deadline == .passed { return false }
      if isHeldByCurrentThread { primitive.trapRecursion() }
      if deadline == .never {
        // Record the wait for a contention profile. The profile does not learn which thread ends the wait: a
        // release can't find out whether threads wait, so the releasing thread records nothing.
        var wait = Probe.Wait(for: word.key, primitive)
        _ = wait.willSleep()
        unsafe withSystemLock { unsafe os_unfair_lock_lock($0) }
        return true
      }
      var backoff = Backoff()
      while !tryLock() {
        if deadline.hasPassed { return false }
        backoff.spinOrYield(until: deadline)
      }
      return true
    }

    @usableFromInline
    package borrowing func tryLock() -> Bool {
      unsafe withSystemLock { unsafe os_unfair_lock_trylock($0) }
    }

    /// Releases the lock; traps if the calling thread does not hold it.
    ///
    /// The owner is checked first, because the system's own trap would not name the lock.
    @usableFromInline
    package borrowing func unlock(for primitive: Primitive) {
      if !isHeldByCurrentThread { primitive.trapNotOwner() }
      unsafe withSystemLock { unsafe os_unfair_lock_unlock($0) }
    }

    @usableFromInline
    package borrowing func checkFree(for primitive: @autoclosure () -> Primitive) {
      if word.loadRelaxed() != 0 { primitive().trapDestroyed() }
    }

    /// Whether the calling thread is the owner.
    ///
    /// While a thread holds the lock, the word holds the name of the thread's Mach port. The bits from 8 on are
    /// the port's index, which `ThreadIdentity.systemNumber` returns for the calling thread.
    @usableFromInline
    package var isHeldByCurrentThread: Bool {
      word.loadRelaxed() >> 8 == ThreadIdentity.systemNumber
    }
  }
#endif
