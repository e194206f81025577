#if Exploration
  internal import CInterlock

  // Hooks for the explorer, which tries the schedules of a test's threads. With the trait `Exploration`, each
  // thread that the explorer runs passes its atomic operations to the explorer. Without the trait,
  // `Exploration+Off.swift` takes the place of this file.

  /// An atomic operation on a word of 4 or 8 bytes.
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
    /// The value that a compare-exchange expects.
    package let expected: UInt64
    /// Whether the operation is a fence, which has no word.
    package var isFence: Bool { kind == .fence || kind == .processBarrier }
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

  /// A thread that the explorer runs.
  ///
  /// The functions of this package pass the thread's operations to this object.
  @usableFromInline
  package protocol ExploredThread: AnyObject {
    /// Performs an atomic operation and returns the value that the operation read.
    func perform(_ operation: ExploredOperation) -> UInt64

    /// Sleeps as `LockWord.wait(while:until:)` does.
    func wait(at address: UInt, while expected: UInt32, until deadline: Deadline) -> LockWord.WaitOutcome

    /// Wakes threads as `LockWord.wake(count:)` does.
    func wake(at address: UInt, count: Int32) -> Int

    /// Lets other threads run until one of them has changed a word, because the calling thread spins.
    func spin()

    /// The current time of the explorer's virtual clock, in nanoseconds. The explorer advances this clock
    /// only to make a wait time out.
    func now() -> UInt64

    /// Checks a non-atomic read or write for a data race with other threads.
    func access(at address: UInt, writes: Bool)

    /// The place of an object in the order of first uses, which takes the place of the order of addresses.
    ///
    /// An atomic word of the object must be at `address`.
    func number(of address: UInt) -> UInt

    /// Forgets the recorded accesses to the word at `address`, because the word was destroyed.
    func forgetWord(at address: UInt)

    /// Starts a thread that runs `body`, as a concurrent queue does.
    func startThread(_ body: @escaping @Sendable () -> Void)

    /// Calls `body` for each number below `count`, each on a thread of its own, and waits for them.
    func performConcurrently(_ count: Int, _ body: @Sendable (Int) -> Void)

    /// Calls `expire` when the strategy lets the deadline pass, unless `cancel` is called before.
    func schedule(_ timer: AnyObject, at deadline: Deadline, _ expire: @escaping () -> Void)

    func cancel(_ timer: AnyObject)

    /// Records what the thread does with a lock, for the report.
    func note(_ event: ExploredLock.Event, _ lock: ExploredLock)

    /// Records that the program made the word or cell at `address`; the report shows each step on it.
    func noteOfProgram(at address: UInt)

    /// Ends the execution because of misuse, and reports `sentence`, the message of the trap.
    func trap(_ sentence: String) -> Never
  }

  extension ExploredThread {
    /// Whether `ProcessBarrier` is available to the thread.
    package var hasProcessBarrier: Bool { ExploredThreads.hidesProcessBarrier.load(.relaxed) == 0 }

    package func executeProcessBarrier() {
      _ = perform(ExploredOperation(.processBarrier, .sequentiallyConsistent, address: 0, isWide: true))
    }
  }

  /// A lock, or another primitive, that reports of the explorer name.
  @usableFromInline
  package struct ExploredLock: Sendable {
    @usableFromInline
    package enum Event: Sendable {
      case willAcquire(LockMode)
      /// The thread has acquired the lock, in the given mode or in that of `willAcquire`.
      case didAcquire(LockMode?)
      /// The thread's next steps release the lock, or it has ended its wait without the lock.
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

  /// Holds the object that performs a thread's operations while the explorer runs the thread.
  @usableFromInline
  package final class ExploredThreads {
    private let thread: any ExploredThread

    /// 1 while a test explores snapshots as on a system without `ProcessBarrier`; otherwise 0.
    package static let hidesProcessBarrier = PlainAtomicWord()

    package init(_ thread: any ExploredThread) {
      self.thread = thread
    }

    /// The object to which the calling thread passes its operations.
    ///
    /// It is `nil` if the explorer does not run the thread, or if the thread runs the explorer's own code.
    @usableFromInline
    package static var current: (any ExploredThread)? {
      // Sound: code that passes an object to `setCurrent` keeps that object until it passes another one or
      // `nil`.
      guard let pointer = unsafe interlock_explored_thread() else { return nil }
      return unsafe Unmanaged<ExploredThreads>.fromOpaque(pointer).takeUnretainedValue().thread
    }

    /// Stops passing the calling thread's operations to the explorer, until `resume`.
    ///
    /// The explorer's own code runs meanwhile.
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
    package static func setCurrent(_ threads: ExploredThreads?) {
      // Not retained: see `current`.
      unsafe interlock_set_explored_thread(threads.map { unsafe Unmanaged.passUnretained($0).toOpaque() })
    }
  }
#endif
