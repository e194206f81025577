#if canImport(Darwin)
  internal import Darwin
  public import PlatformLocks

  /// `UnfairLock` over `os_unfair_lock`, which donates the priority of its waiters to the owner.
  ///
  /// The system's lock is one 32-bit word that is 0 when free, operated on by address. It is stored in a `LockWord`
  /// because an atomic's storage is the one kind of inline storage whose address stays the same while it is borrowed.
  /// The system traps recursion, and unlocking by another thread, with its own message; here both trap before that and name the
  /// primitive.
  @usableFromInline
  struct UnfairLockCore: ~Copyable, Sendable {
    private let word: LockWord

    @usableFromInline
    init() {
      word = LockWord()
    }

    private borrowing func withSystemLock<R>(_ body: (os_unfair_lock_t) -> R) -> R {
      unsafe word.withAddress { address in
        // Same size and alignment; the word is never read in any other way while a thread holds the lock, except
        // atomically by `checkFree`.
        unsafe body(UnsafeMutableRawPointer(mutating: address).assumingMemoryBound(to: os_unfair_lock.self))
      }
    }

    @usableFromInline
    borrowing func lock(for user: UnfairLockUser) {
      if tryLock() { return }
      if isHeldByCurrentThread { user.trapRecursion() }
      unsafe withSystemLock { unsafe os_unfair_lock_lock($0) }
    }

    @usableFromInline
    borrowing func tryLock() -> Bool {
      unsafe withSystemLock { unsafe os_unfair_lock_trylock($0) }
    }

    /// The system traps on a thread that does not hold the lock, and does not say which lock.
    @usableFromInline
    borrowing func unlock(for user: UnfairLockUser) {
      if !isHeldByCurrentThread { user.trapNotOwner() }
      unsafe withSystemLock { unsafe os_unfair_lock_unlock($0) }
    }

    /// Polls, with pauses that grow to a yield, because the system has no timed form.
    ///
    /// A limit that the clock can't represent is none: it waits as `lock` does.
    @usableFromInline
    borrowing func lock(timeout: Timeout, for user: UnfairLockUser) -> Bool {
      if tryLock() { return true }
      if timeout.isZero { return false }
      if isHeldByCurrentThread { user.trapRecursion() }
      let deadline = timeout.deadlineFromNow()
      if deadline == .never {
        lock()
        return true
      }
      var backoff = Backoff()
      while !tryLock() {
        if deadline.hasPassed { return false }
        if !backoff.spin() { Backoff.yieldUntilChange() }
      }
      return true
    }

    @usableFromInline
    borrowing func checkFree() {
      if word.loadRelaxed() != 0 {
        misuse(
          "UnfairLock", "destroyed while a thread holds it",
          "keep the lock alive until every section has ended")
      }
    }

    /// Whether the calling thread is the owner, by the port's index that the system keeps in its word.
    @usableFromInline
    var isHeldByCurrentThread: Bool {
      word.loadRelaxed() >> 8 == ThreadIdentity.systemNumber
    }
  }
#endif
