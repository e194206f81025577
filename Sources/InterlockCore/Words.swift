#if !Exploration
  /// An atomic 32-bit word that threads can wait on.
  @usableFromInline
  package typealias LockWord = PlainLockWord

  /// An atomic 64-bit word, on which threads can't wait.
  @usableFromInline
  package typealias AtomicWord = PlainAtomicWord

  extension AtomicWord {
    @_alwaysEmitIntoClient
    @_transparent
    package borrowing func isOfProgram() {}
  }

  /// A memory fence.
  @_alwaysEmitIntoClient
  @_transparent
  package func fence(_ ordering: MemoryOrdering) { plainFence(ordering) }

  extension LockWord {
    @inline(__always)
    borrowing func simulatedWait(while expected: UInt32, until deadline: Deadline) -> WaitOutcome? { nil }

    @inline(__always)
    borrowing func simulatedWake(count: Int32) -> Int? { nil }
  }
#endif
