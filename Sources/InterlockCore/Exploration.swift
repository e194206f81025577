#if Exploration
  internal import CInterlock

  // Hooks for the explorer, which tries the schedules of a test's threads. With the trait `Exploration`, each
  // thread that the explorer runs passes its atomic operations to the explorer. Without the trait,
  // `Exploration+Off.swift` takes the place of this file.

  /// An atomic operation on a word of 4 or 8 bytes, or a fence.
  @usableFromInline
  package struct ExploredOperation: Sendable {
    @usableFromInline
    package enum Kind: Sendable, Hashable {
      case load, store, exchange, compareExchange, add, setBits, clearBits, fence
      /// A sequentially consistent fence on every thread (see `ProcessBarrier`).
      case processBarrier
    }

    package let kind: Kind
    package let ordering: MemoryOrdering
    package let address: UInt
    /// Whether the word has 8 bytes.
    package let isWide: Bool
    package let operand: UInt64
    /// The value that a compare-exchange expects; 0 for other operations.
    package let expected: UInt64
    /// Whether the operation is a fence, which has no word.
    package var isFence: Bool { kind == .fence || kind == .processBarrier }
    /// The memory ordering of the load when a compare-exchange fails.
    package let failureOrdering: MemoryOrdering
    /// Whether this is the fast path of a lock that the thread waits for without a deadline, a compare-exchange
    /// of 0, the value of the free lock.
    package let waits: Bool

    @usableFromInline
    package init(
      _ kind: Kind, _ ordering: MemoryOrdering, address: UInt, isWide: Bool, operand: UInt64 = 0,
      expected: UInt64 = 0, failureOrdering: MemoryOrdering = .relaxed, waits: Bool = false
    ) {
      self.kind = kind
      self.ordering = ordering
      self.address = address
      self.isWide = isWide
      self.operand = operand
      self.expected = expected
      self.failureOrdering = failureOrdering
      self.waits = waits
    }
  }

  /// A thread that the explorer runs.
  ///
  /// Functions of this package call this object instead of performing the thread's atomic operations, waits
  /// and wake-ups themselves.
  @usableFromInline
  package protocol ExploredThread: AnyObject {
    /// Whether `ProcessBarrier` is available to the thread: some explorations act as on a system without it.
    var hasProcessBarrier: Bool { get }

    /// Whether tables are as large as for 64 processors, because lines are counted.
    var usesWholeTables: Bool { get }

    /// Performs an atomic operation; returns the value that it read or replaced, or 0 for a fence.
    func perform(_ operation: ExploredOperation) -> UInt64

    /// Sleeps as `LockWord.wait(while:until:)` does.
    func wait(at address: UInt, while expected: UInt32, until deadline: Deadline) -> LockWord.WaitOutcome

    /// Wakes threads as `LockWord.wake(count:)` does.
    func wake(at address: UInt, count: Int32) -> Int

    /// Lets other threads run until one of them has changed a word, until no thread could make a step
    /// otherwise, or until the deadline has passed. The thread must call this in each iteration of a loop that
    /// spins.
    func spin(until deadline: Deadline)

    /// The current time of the explorer's virtual clock, in nanoseconds. The explorer advances this clock
    /// only to let deadlines pass.
    func now() -> UInt64

    /// Checks a non-atomic access at `address`, a write if `writes` is `true`, for a data race with other
    /// threads.
    func access(at address: UInt, writes: Bool)

    /// The number of the object that has an atomic word at `address`, in the order in which objects are first
    /// used.
    ///
    /// Code that orders objects by their addresses must order them by this number instead. Addresses differ
    /// from one execution to the next.
    func number(of address: UInt) -> UInt

    /// Forgets the word or cell at `address`, so that a later one at the same address counts as new.
    ///
    /// Must be called when the word or cell is destroyed.
    func forgetWord(at address: UInt)

    /// Starts a new explored thread that runs `body`, in place of a thread of the system or a concurrent dispatch queue.
    ///
    /// - Returns: The argument for `joinThread`.
    @discardableResult
    func startThread(_ body: @escaping @Sendable () -> Void) -> Int

    /// Waits until a thread that `startThread` has started has ended.
    func joinThread(_ number: Int)

    /// Calls `body` with each number from 0 to `count - 1`, and returns when all calls have returned.
    ///
    /// The calling thread makes the call with 0. Each other call has a new explored thread.
    func performConcurrently(_ count: Int, _ body: @Sendable (Int) -> Void)

    /// Calls `expire` when the explorer's strategy lets `deadline` pass, unless `cancel(timer)` is called
    /// first.
    func schedule(_ timer: AnyObject, at deadline: Deadline, _ expire: @escaping () -> Void)

    func cancel(_ timer: AnyObject)

    /// Records an event of the thread on a lock, for the explorer's report.
    func note(_ event: ExploredLock.Event, _ lock: ExploredLock)

    /// Records that the thread, or its task, begins to wait inside this package, for the explorer's report.
    ///
    /// - Parameters:
    ///   - primitive: What it waits for; `nil` if only the function is known.
    ///   - isOfTask: Whether the task is suspended; otherwise the thread sleeps.
    func noteWait(for primitive: Primitive?, isOfTask: Bool)

    /// Records that the wait has ended that began last.
    func noteEndOfWait()

    /// Records that the tested program itself made the word or cell at `address`, so that the report shows
    /// each step on it.
    func noteOfProgram(at address: UInt)

    /// Ends the execution as failed, because the program misused a primitive; `sentence` is the message of
    /// the trap.
    func trap(_ sentence: String) -> Never
  }

  extension ExploredThread {
    @usableFromInline
    package func executeProcessBarrier() {
      _ = perform(ExploredOperation(.processBarrier, .sequentiallyConsistent, address: 0, isWide: true))
    }
  }

  /// A lock or another primitive, as the explorer's reports identify it.
  @usableFromInline
  package struct ExploredLock: Sendable {
    @usableFromInline
    package enum Event: Sendable {
      case willAcquire(LockMode)
      /// The thread has acquired the lock in the given mode; `nil` means the mode of its last `willAcquire`.
      case didAcquire(LockMode?)
      /// The thread releases the lock in its next steps, or has given up waiting for it.
      case releases
    }

    package let primitive: Primitive
    /// A number that no other lock has.
    package let number: UInt64

    private static let count = PlainAtomicWord()

    package init(_ primitive: Primitive) {
      self.primitive = primitive
      number = Self.count.add(1, .relaxed)
    }
  }

  /// A box for an `ExploredThread`; thread-local storage holds the box's address while the explorer runs the
  /// thread.
  @usableFromInline
  package final class ExploredThreads {
    private let thread: any ExploredThread

    package init(_ thread: any ExploredThread) {
      self.thread = thread
    }

    /// The object to which the calling thread passes its operations.
    ///
    /// It is `nil` if the explorer does not run the thread, or if the thread runs the explorer's own code.
    @usableFromInline
    package static var current: (any ExploredThread)? {
      // Sound: the caller of `setCurrent` must keep the object alive until the thread's next call of
      // `setCurrent`.
      guard let pointer = unsafe interlock_explored_thread() else { return nil }
      return unsafe Unmanaged<ExploredThreads>.fromOpaque(pointer).takeUnretainedValue().thread
    }

    /// Stops passing the calling thread's operations to the explorer, until `resume`.
    ///
    /// Call this before the thread runs the explorer's own code.
    ///
    /// - Returns: The argument for `resume`.
    package static func suspend() -> UInt {
      defer { interlock_set_explored_thread(nil) }
      return unsafe UInt(bitPattern: interlock_explored_thread())
    }

    package static func resume(_ threads: UInt) {
      unsafe interlock_set_explored_thread(UnsafeMutableRawPointer(bitPattern: threads))
    }

    /// Sets the object to which the calling thread passes its operations; `nil` means that the explorer no
    /// longer runs the thread.
    ///
    /// The caller must keep the object alive until the thread's next call of this function.
    package static func setCurrent(_ threads: ExploredThreads?) {
      // Not retained: see `current`.
      unsafe interlock_set_explored_thread(threads.map { unsafe Unmanaged.passUnretained($0).toOpaque() })
    }
  }
#endif
