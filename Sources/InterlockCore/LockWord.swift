internal import Builtin

// The waiting operations of `LockWord`, an atomic 32-bit word.
//
// The algorithms of this package use only the atomic operations of `LockWord` and `AtomicWord`, and sleep
// only in `LockWord.wait(while:until:)`. `Words.swift` makes the two types plain atomic words. In builds with
// the trait `Exploration`, `ExploredWords.swift` replaces that file, and the two types pass the operations of
// explored threads to the explorer.
//
// Waiting follows the futex contract: `wait(while:)` compares and goes to sleep in one atomic step with
// respect to `wake(count:)`. So a wake-up that follows a change of the value is never lost. Wake-ups may be
// spurious, so callers must wait in a loop.

extension LockWord {
  // MARK: Waiting

  /// How a wait ended.
  @usableFromInline
  @frozen
  package struct WaitOutcome: Sendable, Equatable {
    // No enumeration, whose conformances take 2 KB of each program.
    @usableFromInline
    let code: UInt8

    @_alwaysEmitIntoClient
    init(code: UInt8) {
      self.code = code
    }

    /// A `wake(count:)` or a spurious wake-up ended the wait, or since macOS 14.4 the word did not hold the expected value.
    @_alwaysEmitIntoClient
    package static var woken: WaitOutcome { WaitOutcome(code: 0) }
    /// The word did not hold the expected value, or a signal or a lack of memory ended the wait.
    @_alwaysEmitIntoClient
    package static var notWaited: WaitOutcome { WaitOutcome(code: 1) }
    /// The deadline passed, and the thread has consumed no wake-up.
    @_alwaysEmitIntoClient
    package static var timedOut: WaitOutcome { WaitOutcome(code: 2) }
  }

  /// Sleeps until a wake-up or `deadline` if the word holds `expected`; returns how the wait ended.
  @discardableResult
  package borrowing func wait(while expected: UInt32, until deadline: Deadline = .never) -> WaitOutcome {
    if let outcome = simulatedWait(while: expected, until: deadline) { return outcome }
    return whileAsleep {
      unsafe withAddress { unsafe Platform.wait(on: $0, while: expected, until: deadline) }
    }
  }

  /// Wakes up to `count` threads that wait on this word, and returns how many it woke.
  ///
  /// On Apple systems since macOS 14.4, a `count` other than 1 wakes all threads, and the result is at most 1.
  ///
  /// This function uses only the word's address, so the word may already be destroyed. For example, after one
  /// thread has released a lock, another thread can acquire, release and free the lock before the first
  /// thread calls this function.
  @discardableResult
  package borrowing func wake(count: Int32) -> Int {
    if let woken = simulatedWake(count: count) { return woken }
    return unsafe withAddress { unsafe Platform.wake($0, count: count) }
  }

  /// Passes the word's address, which does not change, to `body`.
  package borrowing func withAddress<R>(_ body: (UnsafePointer<UInt32>) -> R) -> R {
    unsafe body(UnsafePointer<UInt32>(rawAddress))
  }
}

extension LockWord {
  /// The key that identifies the lock whose first field is this word.
  ///
  /// The key stays the same while the word exists, and no other live word has it.
  @_alwaysEmitIntoClient
  @_transparent
  package var key: UInt { UInt(Builtin.ptrtoint_Word(rawAddress)) &- lockKeyOffset }

  /// The key of the lock that contains this word at `offset` bytes from the lock's beginning.
  ///
  /// Call this only on a word that the lock's fast path does not access. Otherwise the compiler keeps the
  /// word's address in one more register.
  @_alwaysEmitIntoClient
  @_transparent
  package func key(ofStructFrom offset: UInt) -> UInt { key &- offset }
}

extension AtomicWord {
  /// The key that identifies the lock whose first field is this word.
  package var key: UInt { UInt(Builtin.ptrtoint_Word(rawAddress)) &- lockKeyOffset }
}
