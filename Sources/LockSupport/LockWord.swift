public import Builtin

/// An atomic 32-bit word that threads can wait on.
///
/// The algorithms of this package use only the atomic operations of this type and of `AtomicWord`, and sleep
/// only in this type. With the trait `Exploration`, a thread that the explorer runs passes its operations to
/// the explorer instead. Without the trait, each function is inlined as the atomic operation alone.
///
/// Each operation has its memory ordering in its name, because an ordering must be a constant where the
/// atomic instruction is emitted.
///
/// Waiting follows the futex contract: `wait(while:)` compares and goes to sleep in one atomic step with
/// respect to `wake(count:)`. So a wake-up that follows a change of the value is never lost. Wake-ups may be
/// spurious, so callers wait in a loop.
///
/// The word is `Synchronization.Atomic<UInt32>` written out, because that type needs macOS 15. The storage and
/// the atomic instructions are those of the standard library: a raw layout, which always has an address, and
/// the compiler's builtins.
@usableFromInline
@frozen
@_rawLayout(like: UInt32)
package struct LockWord: ~Copyable, @unchecked Sendable {
  // `LockWord` is `@unchecked Sendable`, which is sound: each access to the storage is atomic.

  /// The address of the word.
  ///
  /// It stays the same while the word is borrowed or stored in place: a raw layout is never copied and never
  /// passed in a register.
  @usableFromInline
  @_transparent
  var rawAddress: Builtin.RawPointer { Builtin.addressOfRawLayout(self) }

  @inlinable
  package init(_ initialValue: UInt32 = 0) {
    // Sound: the storage has the layout of a `UInt32`, and no other thread has the word yet.
    unsafe UnsafeMutablePointer<UInt32>(rawAddress).initialize(to: initialValue)
  }

  #if Exploration
    deinit { unsafe withAddress { ExploredThreads.current?.forgetWord(at: UInt(bitPattern: $0)) } }
  #endif

  // MARK: Loads and stores

  @inlinable
  @_transparent
  package borrowing func loadRelaxed() -> UInt32 {
    #if Exploration
      if let value = explored(.load, .relaxed) { return value }
    #endif
    return UInt32(Builtin.atomicload_monotonic_Int32(rawAddress))
  }

  @inlinable
  @_transparent
  package borrowing func loadAcquiring() -> UInt32 {
    #if Exploration
      if let value = explored(.load, .acquiring) { return value }
    #endif
    return UInt32(Builtin.atomicload_acquire_Int32(rawAddress))
  }

  @inlinable
  @_transparent
  package borrowing func storeRelaxed(_ desired: UInt32) {
    #if Exploration
      if explored(.store, .relaxed, operand: desired) != nil { return }
    #endif
    Builtin.atomicstore_monotonic_Int32(rawAddress, desired._value)
  }

  @inlinable
  @_transparent
  package borrowing func exchangeSequentiallyConsistent(_ desired: UInt32) -> UInt32 {
    #if Exploration
      if let value = explored(.exchange, .sequentiallyConsistent, operand: desired) { return value }
    #endif
    return UInt32(Builtin.atomicrmw_xchg_seqcst_Int32(rawAddress, desired._value))
  }

  @inlinable
  @_transparent
  package borrowing func loadSequentiallyConsistent() -> UInt32 {
    #if Exploration
      if let value = explored(.load, .sequentiallyConsistent) { return value }
    #endif
    return UInt32(Builtin.atomicload_seqcst_Int32(rawAddress))
  }

  @inlinable
  @_transparent
  package borrowing func exchangeReleasing(_ desired: UInt32) -> UInt32 {
    #if Exploration
      if let value = explored(.exchange, .releasing, operand: desired) { return value }
    #endif
    return UInt32(Builtin.atomicrmw_xchg_release_Int32(rawAddress, desired._value))
  }

  // MARK: Compare and exchange
  // Each compare-exchange is strong: it fails only when the word differs from `expected`.

  @inlinable
  @_transparent
  package borrowing func compareExchangeAcquiring(expected: UInt32, desired: UInt32) -> (
    exchanged: Bool, original: UInt32
  ) {
    #if Exploration
      if let old = explored(.compareExchange, .acquiring, operand: desired, expected: expected) {
        return (old == expected, old)
      }
    #endif
    let (original, exchanged) = Builtin.cmpxchg_acquire_monotonic_Int32(
      rawAddress, expected._value, desired._value)
    return (Bool(exchanged), UInt32(original))
  }

  @inlinable
  @_transparent
  package borrowing func compareExchangeRelaxed(expected: UInt32, desired: UInt32) -> (
    exchanged: Bool, original: UInt32
  ) {
    #if Exploration
      if let old = explored(.compareExchange, .relaxed, operand: desired, expected: expected) {
        return (old == expected, old)
      }
    #endif
    let (original, exchanged) = Builtin.cmpxchg_monotonic_monotonic_Int32(
      rawAddress, expected._value, desired._value)
    return (Bool(exchanged), UInt32(original))
  }

  @inlinable
  @_transparent
  package borrowing func compareExchangeReleasing(expected: UInt32, desired: UInt32) -> (
    exchanged: Bool, original: UInt32
  ) {
    #if Exploration
      if let old = explored(.compareExchange, .releasing, operand: desired, expected: expected) {
        return (old == expected, old)
      }
    #endif
    let (original, exchanged) = Builtin.cmpxchg_release_monotonic_Int32(
      rawAddress, expected._value, desired._value)
    return (Bool(exchanged), UInt32(original))
  }

  package borrowing func compareExchangeSequentiallyConsistent(expected: UInt32, desired: UInt32) -> (
    exchanged: Bool, original: UInt32
  ) {
    #if Exploration
      if let old = explored(.compareExchange, .sequentiallyConsistent, operand: desired, expected: expected) {
        return (old == expected, old)
      }
    #endif
    let (original, exchanged) = Builtin.cmpxchg_seqcst_seqcst_Int32(
      rawAddress, expected._value, desired._value)
    return (Bool(exchanged), UInt32(original))
  }

  // MARK: Arithmetic

  package borrowing func addSequentiallyConsistent(_ operand: UInt32) {
    #if Exploration
      if explored(.add, .sequentiallyConsistent, operand: operand) != nil { return }
    #endif
    _ = Builtin.atomicrmw_add_seqcst_Int32(rawAddress, operand._value)
  }

  /// Sets the bits and returns the old value.
  @discardableResult
  package borrowing func setBitsRelaxed(_ bits: UInt32) -> UInt32 {
    #if Exploration
      if let old = explored(.setBits, .relaxed, operand: bits) { return old }
    #endif
    return UInt32(Builtin.atomicrmw_or_monotonic_Int32(rawAddress, bits._value))
  }

  package borrowing func clearBitsRelaxed(_ bits: UInt32) {
    #if Exploration
      if explored(.clearBits, .relaxed, operand: bits) != nil { return }
    #endif
    _ = Builtin.atomicrmw_and_monotonic_Int32(rawAddress, (~bits)._value)
  }

  /// Subtracts and returns the new value.
  @inlinable
  @_transparent
  package borrowing func subtractReleasing(_ operand: UInt32) -> UInt32 {
    #if Exploration
      if let old = explored(.add, .releasing, operand: 0 &- operand) { return old &- operand }
    #endif
    return UInt32(Builtin.atomicrmw_sub_release_Int32(rawAddress, operand._value)) &- operand
  }

  /// Adds and returns the new value.
  @inlinable
  @_transparent
  @discardableResult
  package borrowing func addReleasing(_ operand: UInt32) -> UInt32 {
    #if Exploration
      if let old = explored(.add, .releasing, operand: operand) { return old &+ operand }
    #endif
    return UInt32(Builtin.atomicrmw_add_release_Int32(rawAddress, operand._value)) &+ operand
  }

  // MARK: Waiting

  /// How a wait ended.
  @usableFromInline
  @frozen
  package enum WaitOutcome: Sendable {
    /// The wait ended by a `wake(count:)`, or by a spurious wake-up.
    case woken
    /// The word held another value, or a signal interrupted the wait.
    case notWaited
    /// The deadline passed.
    ///
    /// No wake-up was consumed.
    case timedOut
  }

  /// Sleeps while the word holds `expected`, at most until `deadline`.
  @discardableResult
  package borrowing func wait(while expected: UInt32, until deadline: Deadline = .never) -> WaitOutcome {
    #if Exploration
      if let thread = ExploredThreads.current {
        return unsafe withAddress {
          thread.wait(at: UInt(bitPattern: $0), while: expected, until: deadline)
        }
      }
    #endif
    return SleepObservers.whileAsleep(until: deadline) { deadline in
      unsafe withAddress { unsafe Platform.wait(on: $0, while: expected, until: deadline) }
    }
  }

  /// Wakes up to `count` threads that wait on this word, and returns how many it woke.
  ///
  /// It uses only the address and reads nothing from the word, so the word may already be destroyed. After a
  /// thread has released a lock, another thread may acquire the lock and free it before the first one calls
  /// this.
  @discardableResult
  package borrowing func wake(count: Int32) -> Int {
    #if Exploration
      if let thread = ExploredThreads.current {
        return unsafe withAddress { thread.wake(at: UInt(bitPattern: $0), count: count) }
      }
    #endif
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
  @inlinable
  @_transparent
  package var key: UInt { UInt(Builtin.ptrtoint_Word(rawAddress)) &- lockKeyOffset }

  /// The key of a lock that has this word at `offset` bytes from its beginning.
  ///
  /// Call this on a word that the lock's fast path does not access. On any other word, it makes the compiler
  /// keep the word's address in one more register.
  @inlinable
  @_transparent
  package func key(ofStructFrom offset: UInt) -> UInt { key &- offset }
}

#if Exploration
  extension LockWord {
    /// Lets the explorer (the module `Exploration`) perform an operation, and returns the old value.
    ///
    /// Returns `nil` if the explorer does not run the calling thread.
    @usableFromInline
    borrowing func explored(
      _ kind: ExploredOperation.Kind, _ ordering: MemoryOrdering, operand: UInt32 = 0, expected: UInt32 = 0
    ) -> UInt32? {
      guard let thread = ExploredThreads.current else { return nil }
      return unsafe withAddress {
        UInt32(
          truncatingIfNeeded: thread.perform(
            ExploredOperation(
              kind, ordering, address: UInt(bitPattern: $0), isWide: false, operand: UInt64(operand),
              expected: UInt64(expected),
              failureOrdering: ordering == .sequentiallyConsistent ? .sequentiallyConsistent : .relaxed)))
      }
    }
  }
#endif
