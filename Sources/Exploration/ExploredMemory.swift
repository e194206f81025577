#if Exploration
  internal import InterlockCore

  /// The memory of an execution: what each thread may read, by the memory model of C++20.
  ///
  /// Each word has a list of the values stored to it, in modification order. A thread has a *view*: for each
  /// word, the oldest value that the thread may still read. A releasing store attaches the storing thread's
  /// view to the stored value. An acquiring load that reads the value joins this view into the loading
  /// thread's view. So a relaxed load may return an old value, but no load misses a store that happened
  /// before it.
  ///
  /// - **Read-modify-writes** read the latest value. The value that they store also carries the view that was
  ///   attached to the value that they read (the release sequence).
  /// - **Sequential consistency**: one more view has, for each word, the oldest value that a sequentially
  ///   consistent load may still read. A sequentially consistent fence joins this view and the view of its
  ///   thread, in both directions. A barrier for all threads (`ProcessBarrier`) is such a fence on each
  ///   thread.
  /// - **Not modeled**: load buffering, in which a load reads a later store. No store takes an earlier place
  ///   in the modification order than an already executed store, and no compare-exchange fails on an old
  ///   value. The order of sequentially consistent operations is the order of execution. For example, a
  ///   thread stores to x with sequential consistency, and then to y with relaxed ordering. No thread that
  ///   has read this value of y then gets an older value of x from a sequentially consistent load.
  ///
  /// Threads and values also carry a vector clock. It shows which accesses to ordinary memory happen before
  /// which.
  struct ExploredMemory {
    /// The events that happen before a thread's next step: the stores that it must see, and the earlier steps
    /// of each thread.
    ///
    /// Each thread has its own knowledge. A stored value can carry knowledge to the threads that read it.
    struct Knowledge {
      /// For each word, the index in its `history` of the oldest value that may be read.
      var view = VectorClock()
      /// For each thread, a time on its clock: the thread's steps up to that time belong to this knowledge.
      var clock = VectorClock()

      mutating func join(_ other: Knowledge) {
        view.join(other.view)
        clock.join(other.clock)
      }
    }

    /// A value in the history of a word.
    struct Message {
      let value: UInt64
      /// The step that stored the value; `nil` for the initial value of the word.
      let step: Int?
      let knowledge: Knowledge
    }

    struct Word {
      var history: [Message]
      /// For each thread, the number of times that it has read a value other than the latest.
      var oldReads: [Int: Int] = [:]
    }

    struct ThreadState {
      var current = Knowledge()
      /// The knowledge that the thread gets at its next acquiring fence.
      ///
      /// It comes from the values that the thread's relaxed loads have read.
      var pending = Knowledge()
      /// The knowledge that the thread had at its last releasing fence.
      ///
      /// The values that it stores with relaxed ordering carry this knowledge.
      var released = Knowledge()
    }

    /// The accesses to an address of ordinary memory with which a later access can race: the last write, and
    /// each thread's last read after that write.
    private struct Access {
      var lastWrite: (thread: Int, time: Int, step: Int)?
      var reads: [Int: (time: Int, step: Int)] = [:]
    }

    private var words: [Word] = []
    private var numbers: [UInt: Int] = [:]
    /// For each word, the index in its `history` of the oldest value that a sequentially consistent load may
    /// still read.
    private var consistent = VectorClock()
    private var accesses: [UInt: Access] = [:]
    var threads: [ThreadState] = []

    /// The maximum number of outdated values that one thread may read from one word.
    private let oldReadsPerWord: Int
    /// Whether `oldReadsPerWord` has kept a load from returning an outdated value.
    private(set) var hasLimitedOldReads = false

    init(oldReadsPerWord: Int) { self.oldReadsPerWord = oldReadsPerWord }

    /// The number of the word at `address`.
    ///
    /// Words are numbered in the order of their first uses.
    mutating func number(at address: UInt, isWide: Bool) -> Int {
      let value = Self.load(address, isWide: isWide)
      if let number = numbers[address] {
        // If the memory holds a value other than the last recorded one, the word gets a new number. Either
        // code outside of the execution has changed the word, or a new word has the address of an old one.
        if words[number].history.last!.value == value { return number }
      }
      let number = words.count
      numbers[address] = number
      words.append(Word(history: [Message(value: value, step: nil, knowledge: Knowledge())]))
      return number
    }

    /// Forgets the word or cell at `address`, so that a later one at the same address counts as new.
    ///
    /// Must be called when the word or cell is deallocated.
    mutating func forget(_ address: UInt) {
      numbers[address] = nil
      accesses[address] = nil
    }

    /// The number of values that a load may return now: the latest one, and older ones within the thread's
    /// view and the limit of old reads; 1 for any other operation.
    mutating func choices(_ operation: ExploredOperation, word: Int, thread: Int) -> Int {
      guard operation.kind == .load else { return 1 }
      var oldest = threads[thread].current.view[word]
      if operation.ordering == .sequentiallyConsistent { oldest = max(oldest, consistent[word]) }
      let history = words[word].history
      let count = history.count - oldest
      guard words[word].oldReads[thread, default: 0] >= oldReadsPerWord else { return count }
      if count > 1 { hasLimitedOldReads = true }
      return 1
    }

    /// Whether a sequentially consistent load may return a value of the word that is not the latest.
    ///
    /// After a sequentially consistent load has returned the latest value, later ones return no older value.
    func admitsConsistentOldValues(word: Int) -> Bool { consistent[word] < words[word].history.count - 1 }

    /// Performs an operation of `thread` in `step`.
    ///
    /// The operation reads the value that is `choice` places older than the latest one. Returns that value
    /// and the step that stored it, which is `nil` for the word's initial value. For a fence or a barrier,
    /// returns 0 and `nil`.
    mutating func perform(
      _ operation: ExploredOperation, word: Int, thread: Int, step: Int, choice: Int
    ) -> (value: UInt64, writer: Int?) {
      if operation.kind == .fence {
        fence(operation.ordering, thread)
        return (0, nil)
      }
      if operation.kind == .processBarrier {
        fenceOnAllThreads()
        return (0, nil)
      }
      let history = words[word].history
      let index = history.count - 1 - choice
      let read = history[index]
      let mask: UInt64 = operation.isWide ? .max : UInt64(UInt32.max)
      var ordering = operation.ordering
      var desired: UInt64?
      switch operation.kind {
      case .load, .fence, .processBarrier: break
      case .store, .exchange: desired = operation.operand
      case .compareExchange:
        if read.value == operation.expected {
          desired = operation.operand
        } else {
          ordering = operation.failureOrdering
        }
      case .add: desired = (read.value &+ operation.operand) & mask
      case .setBits: desired = read.value | operation.operand
      case .clearBits: desired = read.value & ~operation.operand & mask
      }
      if choice > 0 { words[word].oldReads[thread, default: 0] += 1 }
      if operation.kind != .store { didRead(read, index, ordering, word, thread) }
      if let desired {
        let isUpdate = operation.kind != .store
        didWrite(desired, after: isUpdate ? read : nil, ordering, word, thread, step)
        Self.store(desired, address: operation.address, isWide: operation.isWide)
      }
      if ordering == .sequentiallyConsistent {
        consistent[word] = max(consistent[word], threads[thread].current.view[word])
      }
      return (read.value, read.step)
    }

    private mutating func didRead(
      _ message: Message, _ index: Int, _ ordering: MemoryOrdering, _ word: Int, _ thread: Int
    ) {
      threads[thread].current.view[word] = max(threads[thread].current.view[word], index)
      if ordering.isAcquiring {
        threads[thread].current.join(message.knowledge)
      } else {
        threads[thread].pending.join(message.knowledge)
      }
    }

    private mutating func didWrite(
      _ value: UInt64, after previous: Message?, _ ordering: MemoryOrdering, _ word: Int, _ thread: Int,
      _ step: Int
    ) {
      threads[thread].current.view[word] = words[word].history.count
      var knowledge = ordering.isReleasing ? threads[thread].current : threads[thread].released
      if let previous { knowledge.join(previous.knowledge) }
      knowledge.view[word] = words[word].history.count
      words[word].history.append(Message(value: value, step: step, knowledge: knowledge))
    }

    private mutating func fence(_ ordering: MemoryOrdering, _ thread: Int) {
      if ordering.isAcquiring { threads[thread].current.join(threads[thread].pending) }
      if ordering == .sequentiallyConsistent {
        threads[thread].current.view.join(consistent)
        consistent.join(threads[thread].current.view)
      }
      if ordering.isReleasing { threads[thread].released = threads[thread].current }
    }

    /// Performs a sequentially consistent fence on each thread, twice.
    ///
    /// The first pass collects the views of all threads, and the second one gives the collected view to each
    /// thread.
    private mutating func fenceOnAllThreads() {
      for _ in 0..<2 {
        for thread in threads.indices { fence(.sequentiallyConsistent, thread) }
      }
    }

    /// The latest value of a word, and the step that stored this value; `nil` for the initial value.
    ///
    /// A thread that is about to sleep on the word compares this value with the one that it expects.
    func latest(word: Int) -> (value: UInt64, writer: Int?) {
      let message = words[word].history.last!
      return (message.value, message.step)
    }

    // MARK: Ordinary memory

    /// Records an access to ordinary memory by `thread`.
    ///
    /// Returns the step of an earlier access that races with this access; `nil` if there is none.
    ///
    /// The access counts as part of the thread's next step, so a release in the thread's previous step does
    /// not publish it.
    mutating func access(_ address: UInt, writes: Bool, thread: Int, step: Int) -> Int? {
      let clock = threads[thread].current.clock
      var access = accesses[address] ?? Access()
      defer { accesses[address] = access }
      if let write = access.lastWrite, write.thread != thread, clock[write.thread] < write.time {
        return write.step
      }
      if writes {
        for (reader, read) in access.reads where reader != thread && clock[reader] < read.time {
          return read.step
        }
        access.lastWrite = (thread, clock[thread] + 1, step)
        access.reads = [:]
      } else {
        access.reads[thread] = (clock[thread] + 1, step)
      }
      return nil
    }

    /// Advances the clock of `thread`.
    ///
    /// Must be called at the beginning of each step of the thread, when it starts another thread, and when it
    /// ends. Its earlier accesses to ordinary memory then happen before the steps of all threads that
    /// synchronize with it.
    mutating func advanceClock(of thread: Int) {
      threads[thread].current.clock[thread] += 1
    }

    // MARK: The machine's memory

    private static func load(_ address: UInt, isWide: Bool) -> UInt64 {
      // Sound: the word exists during its operation, and only one thread of the execution runs.
      let pointer = unsafe UnsafeRawPointer(bitPattern: address)!
      return isWide ? unsafe pointer.load(as: UInt64.self) : UInt64(unsafe pointer.load(as: UInt32.self))
    }

    private static func store(_ value: UInt64, address: UInt, isWide: Bool) {
      // Sound: the word exists during its operation, and only one thread of the execution runs.
      let pointer = unsafe UnsafeMutableRawPointer(bitPattern: address)!
      if isWide {
        unsafe pointer.storeBytes(of: value, as: UInt64.self)
      } else {
        unsafe pointer.storeBytes(of: UInt32(truncatingIfNeeded: value), as: UInt32.self)
      }
    }
  }

  extension MemoryOrdering {
    var isAcquiring: Bool { self != .relaxed && self != .releasing }
    var isReleasing: Bool { self != .relaxed && self != .acquiring }
  }
#endif
