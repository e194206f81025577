public import Synchronization

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
@usableFromInline
@frozen
package struct LockWord: ~Copyable, Sendable {
  @usableFromInline
  let value: Atomic<UInt32>

  @inlinable
  package init(_ initialValue: UInt32 = 0) {
    value = Atomic(initialValue)
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
    return value.load(ordering: .relaxed)
  }

  @inlinable
  @_transparent
  package borrowing func loadAcquiring() -> UInt32 {
    #if Exploration
      if let value = explored(.load, .acquiring) { return value }
    #endif
    return value.load(ordering: .acquiring)
  }

  @inlinable
  @_transparent
  package borrowing func storeRelaxed(_ desired: UInt32) {
    #if Exploration
      if explored(.store, .relaxed, operand: desired) != nil { return }
    #endif
    value.store(desired, ordering: .relaxed)
  }

  @inlinable
  @_transparent
  package borrowing func exchangeSequentiallyConsistent(_ desired: UInt32) -> UInt32 {
    #if Exploration
      if let value = explored(.exchange, .sequentiallyConsistent, operand: desired) { return value }
    #endif
    return value.exchange(desired, ordering: .sequentiallyConsistent)
  }

  @inlinable
  @_transparent
  package borrowing func loadSequentiallyConsistent() -> UInt32 {
    #if Exploration
      if let value = explored(.load, .sequentiallyConsistent) { return value }
    #endif
    return value.load(ordering: .sequentiallyConsistent)
  }

  @inlinable
  @_transparent
  package borrowing func exchangeReleasing(_ desired: UInt32) -> UInt32 {
    #if Exploration
      if let value = explored(.exchange, .releasing, operand: desired) { return value }
    #endif
    return value.exchange(desired, ordering: .releasing)
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
    return value.compareExchange(
      expected: expected, desired: desired, successOrdering: .acquiring, failureOrdering: .relaxed)
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
    return value.compareExchange(expected: expected, desired: desired, ordering: .relaxed)
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
    return value.compareExchange(
      expected: expected, desired: desired, successOrdering: .releasing, failureOrdering: .relaxed)
  }

  package borrowing func compareExchangeSequentiallyConsistent(expected: UInt32, desired: UInt32) -> (
    exchanged: Bool, original: UInt32
  ) {
    #if Exploration
      if let old = explored(.compareExchange, .sequentiallyConsistent, operand: desired, expected: expected) {
        return (old == expected, old)
      }
    #endif
    return value.compareExchange(expected: expected, desired: desired, ordering: .sequentiallyConsistent)
  }

  // MARK: Arithmetic

  package borrowing func addSequentiallyConsistent(_ operand: UInt32) {
    #if Exploration
      if explored(.add, .sequentiallyConsistent, operand: operand) != nil { return }
    #endif
    value.wrappingAdd(operand, ordering: .sequentiallyConsistent)
  }

  package borrowing func setBitsRelaxed(_ bits: UInt32) {
    #if Exploration
      if explored(.setBits, .relaxed, operand: bits) != nil { return }
    #endif
    _ = value.bitwiseOr(bits, ordering: .relaxed)
  }

  package borrowing func clearBitsRelaxed(_ bits: UInt32) {
    #if Exploration
      if explored(.clearBits, .relaxed, operand: bits) != nil { return }
    #endif
    _ = value.bitwiseAnd(~bits, ordering: .relaxed)
  }

  /// Subtracts and returns the new value.
  @inlinable
  @_transparent
  package borrowing func subtractReleasing(_ operand: UInt32) -> UInt32 {
    #if Exploration
      if let old = explored(.add, .releasing, operand: 0 &- operand) { return old &- operand }
    #endif
    return value.wrappingSubtract(operand, ordering: .releasing).newValue
  }

  /// Adds and returns the new value.
  @inlinable
  @_transparent
  @discardableResult
  package borrowing func addReleasing(_ operand: UInt32) -> UInt32 {
    #if Exploration
      if let old = explored(.add, .releasing, operand: operand) { return old &+ operand }
    #endif
    return value.wrappingAdd(operand, ordering: .releasing).newValue
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
    #if DeadlockDetection
      return Detector.shared.whileAsleep(until: deadline) { deadline in
        unsafe withAddress { unsafe Platform.wait(on: $0, while: expected, until: deadline) }
      }
    #else
      return unsafe withAddress { unsafe Platform.wait(on: $0, while: expected, until: deadline) }
    #endif
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

  /// Passes the word's address to `body`.
  ///
  /// The address stays the same while the word is borrowed or stored in place, because an atomic is stored
  /// inline and never passed in a register.
  package borrowing func withAddress<R>(_ body: (UnsafePointer<UInt32>) -> R) -> R {
    unsafe withUnsafePointer(to: value) { pointer in
      // Sound: `Atomic<UInt32>` has the layout of its one stored `UInt32`.
      unsafe body(UnsafeRawPointer(pointer).assumingMemoryBound(to: UInt32.self))
    }
  }
}

extension LockWord {
  /// The key that identifies the lock whose first field is this word.
  ///
  /// The key stays the same while the word exists, and no other live word has it.
  @inlinable
  @_transparent
  package var key: UInt {
    // Not a generic function: in unoptimised code, a generic function asks the runtime for type metadata,
    // which takes a lock.
    unsafe withUnsafePointer(to: value) { UInt(bitPattern: $0) &- lockKeyOffset }
  }

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
