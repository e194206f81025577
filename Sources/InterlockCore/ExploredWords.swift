#if Exploration
  public import Builtin

  // The words of builds with the trait `Exploration`: each thread that the explorer runs passes its atomic
  // operations to the explorer. Other threads perform them on plain words, as in builds without the trait.

  /// An atomic 32-bit word that threads can wait on.
  @usableFromInline
  @frozen
  package struct LockWord: ~Copyable, Sendable {
    @usableFromInline
    let plain: PlainLockWord

    @_alwaysEmitIntoClient
    package init(_ initialValue: UInt32 = 0) { plain = PlainLockWord(initialValue) }

    deinit { unsafe withAddress { ExploredThreads.current?.forgetWord(at: UInt(bitPattern: $0)) } }

    @usableFromInline
    @_transparent
    var rawAddress: Builtin.RawPointer { plain.rawAddress }

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func loadRelaxed() -> UInt32 {
      if let value = explored(.load, .relaxed) { return value }
      return plain.loadRelaxed()
    }

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func loadAcquiring() -> UInt32 {
      if let value = explored(.load, .acquiring) { return value }
      return plain.loadAcquiring()
    }

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func storeRelaxed(_ desired: UInt32) {
      if explored(.store, .relaxed, operand: desired) != nil { return }
      return plain.storeRelaxed(desired)
    }

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func exchangeSequentiallyConsistent(_ desired: UInt32) -> UInt32 {
      if let value = explored(.exchange, .sequentiallyConsistent, operand: desired) { return value }
      return plain.exchangeSequentiallyConsistent(desired)
    }

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func loadSequentiallyConsistent() -> UInt32 {
      if let value = explored(.load, .sequentiallyConsistent) { return value }
      return plain.loadSequentiallyConsistent()
    }

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func exchangeReleasing(_ desired: UInt32) -> UInt32 {
      if let value = explored(.exchange, .releasing, operand: desired) { return value }
      return plain.exchangeReleasing(desired)
    }

    /// - Parameter waits: Whether the thread waits until it can replace `expected`, as for a lock (see
    ///   `ExploredOperation.waits`).
    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func compareExchangeAcquiring(
      expected: UInt32, desired: UInt32, waits: Bool = false
    ) -> (exchanged: Bool, original: UInt32) {
      if let old = explored(.compareExchange, .acquiring, operand: desired, expected: expected, waits: waits)
      {
        return (old == expected, old)
      }
      return plain.compareExchangeAcquiring(expected: expected, desired: desired)
    }

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func compareExchangeRelaxed(expected: UInt32, desired: UInt32) -> (
      exchanged: Bool, original: UInt32
    ) {
      if let old = explored(.compareExchange, .relaxed, operand: desired, expected: expected) {
        return (old == expected, old)
      }
      return plain.compareExchangeRelaxed(expected: expected, desired: desired)
    }

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func compareExchangeReleasing(expected: UInt32, desired: UInt32) -> (
      exchanged: Bool, original: UInt32
    ) {
      if let old = explored(.compareExchange, .releasing, operand: desired, expected: expected) {
        return (old == expected, old)
      }
      return plain.compareExchangeReleasing(expected: expected, desired: desired)
    }

    package borrowing func compareExchangeSequentiallyConsistent(expected: UInt32, desired: UInt32) -> (
      exchanged: Bool, original: UInt32
    ) {
      if let old = explored(.compareExchange, .sequentiallyConsistent, operand: desired, expected: expected) {
        return (old == expected, old)
      }
      return plain.compareExchangeSequentiallyConsistent(expected: expected, desired: desired)
    }

    package borrowing func addSequentiallyConsistent(_ operand: UInt32) {
      if explored(.add, .sequentiallyConsistent, operand: operand) != nil { return }
      return plain.addSequentiallyConsistent(operand)
    }

    /// Sets `bits` in the word, and returns the word's old value.
    @discardableResult
    package borrowing func setBitsRelaxed(_ bits: UInt32) -> UInt32 {
      if let old = explored(.setBits, .relaxed, operand: bits) { return old }
      return plain.setBitsRelaxed(bits)
    }

    package borrowing func clearBitsRelaxed(_ bits: UInt32) {
      if explored(.clearBits, .relaxed, operand: bits) != nil { return }
      return plain.clearBitsRelaxed(bits)
    }

    /// Subtracts and returns the new value.
    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func subtractReleasing(_ operand: UInt32) -> UInt32 {
      if let old = explored(.add, .releasing, operand: 0 &- operand) { return old &- operand }
      return plain.subtractReleasing(operand)
    }

    /// Adds and returns the new value.
    @_alwaysEmitIntoClient
    @_transparent
    @discardableResult
    package borrowing func addReleasing(_ operand: UInt32) -> UInt32 {
      if let old = explored(.add, .releasing, operand: operand) { return old &+ operand }
      return plain.addReleasing(operand)
    }
  }

  // Not inlined: a report finds the line of a step in the frame that calls these functions.

  extension LockWord {
    /// Lets the explorer perform an operation on the word, and returns the word's old value.
    ///
    /// Returns `nil`, without performing the operation, if the explorer does not run the calling thread.
    @usableFromInline
    @inline(never)
    borrowing func explored(
      _ kind: ExploredOperation.Kind, _ ordering: MemoryOrdering, operand: UInt32 = 0, expected: UInt32 = 0,
      waits: Bool = false
    ) -> UInt32? {
      guard let thread = ExploredThreads.current else { return nil }
      return unsafe withAddress {
        UInt32(
          truncatingIfNeeded: thread.perform(
            ExploredOperation(
              kind, ordering, address: UInt(bitPattern: $0), isWide: false, operand: UInt64(operand),
              expected: UInt64(expected),
              failureOrdering: ordering == .sequentiallyConsistent ? .sequentiallyConsistent : .relaxed,
              waits: waits)))
      }
    }

    @inline(never)
    borrowing func simulatedWait(while expected: UInt32, until deadline: Deadline) -> WaitOutcome? {
      guard let thread = ExploredThreads.current else { return nil }
      return unsafe withAddress { thread.wait(at: UInt(bitPattern: $0), while: expected, until: deadline) }
    }

    @inline(never)
    borrowing func simulatedWake(count: Int32) -> Int? {
      guard let thread = ExploredThreads.current else { return nil }
      return unsafe withAddress { thread.wake(at: UInt(bitPattern: $0), count: count) }
    }
  }

  /// A memory fence.
  @usableFromInline
  package func fence(_ ordering: MemoryOrdering) {
    guard let thread = ExploredThreads.current else { return plainFence(ordering) }
    if ordering != .relaxed {
      _ = thread.perform(ExploredOperation(.fence, ordering, address: 0, isWide: true))
    }
  }

  /// An atomic 64-bit word, on which threads can't wait.
  @usableFromInline
  @frozen
  package struct AtomicWord: ~Copyable, Sendable {
    @usableFromInline
    let plain: PlainAtomicWord

    var rawAddress: Builtin.RawPointer { plain.rawAddress }

    @_alwaysEmitIntoClient
    package init(_ initialValue: UInt64 = 0) { plain = PlainAtomicWord(initialValue) }

    deinit { ExploredThreads.current?.forgetWord(at: UInt(Builtin.ptrtoint_Word(plain.rawAddress))) }

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func load(_ ordering: MemoryOrdering) -> UInt64 {
      if let value = explored(.load, ordering) { return value }
      return plain.load(ordering)
    }

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func store(_ desired: UInt64, _ ordering: MemoryOrdering) {
      if explored(.store, ordering, operand: desired) != nil { return }
      return plain.store(desired, ordering)
    }

    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func exchange(_ desired: UInt64, _ ordering: MemoryOrdering) -> UInt64 {
      if let old = explored(.exchange, ordering, operand: desired) { return old }
      return plain.exchange(desired, ordering)
    }

    /// Replaces the word by `desired` if it is `expected`; returns whether it did so, and the old value.
    ///
    /// The exchange fails only if the word differs from `expected`. A failed exchange is a load, which
    /// ignores the releasing part of `ordering`.
    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func compareExchange(
      expected: UInt64, desired: UInt64, _ ordering: MemoryOrdering
    ) -> (exchanged: Bool, original: UInt64) {
      if let old = explored(
        .compareExchange, ordering, operand: desired, expected: expected)
      {
        return (old == expected, old)
      }
      return plain.compareExchange(expected: expected, desired: desired, ordering)
    }

    /// Adds `operand`, wrapping around, and returns the old value.
    @_alwaysEmitIntoClient
    @_transparent
    @discardableResult
    package borrowing func add(_ operand: UInt64, _ ordering: MemoryOrdering) -> UInt64 {
      if let old = explored(.add, ordering, operand: operand) { return old }
      return plain.add(operand, ordering)
    }

    /// Makes the explorer's report show each step on the word.
    ///
    /// Call this if the tested program itself makes the word, instead of a primitive.
    @usableFromInline
    package borrowing func isOfProgram() {
      ExploredThreads.current?.noteOfProgram(at: UInt(Builtin.ptrtoint_Word(plain.rawAddress)))
    }

    /// Lets the explorer perform an operation on the word, and returns the word's old value.
    ///
    /// Returns `nil`, without performing the operation, if the explorer does not run the calling thread.
    @usableFromInline
    @inline(never)
    borrowing func explored(
      _ kind: ExploredOperation.Kind, _ ordering: MemoryOrdering, operand: UInt64 = 0, expected: UInt64 = 0
    ) -> UInt64? {
      guard let thread = ExploredThreads.current else { return nil }
      return thread.perform(
        ExploredOperation(
          kind, ordering, address: UInt(Builtin.ptrtoint_Word(plain.rawAddress)), isWide: true,
          operand: operand,
          expected: expected, failureOrdering: ordering))
    }
  }
#endif
