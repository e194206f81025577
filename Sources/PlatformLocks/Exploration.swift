#if Exploration
  internal import CInterlock

  // The trait `Exploration`: a thread that belongs to an execution of the explorer passes each operation of the
  // toolkit to the explorer. Without the trait, nothing of this is compiled.

  /// An atomic operation on a word of 4 or 8 bytes.
  @usableFromInline
  package struct ExploredOperation: Sendable {
    @usableFromInline
    package enum Kind: Sendable, Hashable {
      case load, store, exchange, compareExchange, add, setBits, clearBits, fence
    }

    package let kind: Kind
    package let ordering: MemoryOrdering
    package let address: UInt
    /// Whether the word has 8 bytes.
    package let isWide: Bool
    package let operand: UInt64
    /// The value that a compare-exchange expects.
    package let expected: UInt64
    /// The ordering of a compare-exchange that fails.
    package let failureOrdering: MemoryOrdering

    @usableFromInline
    package init(
      _ kind: Kind, _ ordering: MemoryOrdering, address: UInt, isWide: Bool, operand: UInt64 = 0,
      expected: UInt64 = 0, failureOrdering: MemoryOrdering = .relaxed
    ) {
      self.kind = kind
      self.ordering = ordering
      self.address = address
      self.isWide = isWide
      self.operand = operand
      self.expected = expected
      self.failureOrdering = failureOrdering
    }
  }

  /// A thread of an execution, to which the toolkit passes what the thread does.
  @usableFromInline
  package protocol ExploredThread: AnyObject {
    /// Performs an atomic operation and returns the value that it read.
    func perform(_ operation: ExploredOperation) -> UInt64

    /// Sleeps as `LockWord.wait(while:until:)` does.
    func wait(at address: UInt, while expected: UInt32, until deadline: Deadline) -> LockWord.WaitOutcome

    /// Wakes threads as `LockWord.wake(count:)` does.
    func wake(at address: UInt, count: Int32) -> Int

    /// Goes on when another thread has changed something.
    func spin()

    /// Nanoseconds on the execution's clock, which advances only when a wait times out.
    func now() -> UInt64

    /// Reads or writes a value that no other thread may write at the same time.
    func access(at address: UInt, writes: Bool)

    /// The word at `address` was destroyed: what the execution knows about the address is void.
    func forgetWord(at address: UInt)

    /// Ends the execution with the sentence of a trap.
    func trap(_ sentence: String) -> Never
  }

  /// Holds the calling thread's part in an execution.
  @usableFromInline
  package final class ExploredThreads {
    private let thread: any ExploredThread

    package init(_ thread: any ExploredThread) {
      self.thread = thread
    }

    /// The calling thread's part in an execution; `nil` when it belongs to none, or runs the explorer's own code.
    @usableFromInline
    package static var current: (any ExploredThread)? {
      // Sound: whoever makes a thread explored keeps the object until the thread no longer is.
      guard let pointer = unsafe interlock_explored_thread() else { return nil }
      return unsafe Unmanaged<ExploredThreads>.fromOpaque(pointer).takeUnretainedValue().thread
    }

    /// Makes the calling thread run the explorer's own code, until `resume`.
    package static func suspend() -> UInt {
      defer { interlock_set_explored_thread(nil) }
      return unsafe UInt(bitPattern: interlock_explored_thread())
    }

    package static func resume(_ threads: UInt) {
      unsafe interlock_set_explored_thread(UnsafeMutableRawPointer(bitPattern: threads))
    }

    /// Makes the calling thread that of an execution, or of none.
    package static func setCurrent(_ threads: ExploredThreads?) {
      // Not retained: see `current`.
      unsafe interlock_set_explored_thread(threads.map { unsafe Unmanaged.passUnretained($0).toOpaque() })
    }
  }
#endif
