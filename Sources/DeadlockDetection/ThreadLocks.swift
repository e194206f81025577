#if DeadlockDetection
  internal import CInterlock
  internal import InterlockCore

  /// The locks that one thread holds, and a cache of acquisitions that the graph already has.
  ///
  /// A thread-local variable points to the thread's instance, which is deallocated when the thread ends.
  /// Other threads may read only `number`, `ids` and `sharedCount`.
  ///
  /// `@safe`: the arrays have the size `capacity`, and live as long as the instance.
  @safe
  struct ThreadLocks: ~Copyable {
    /// A lock that the thread holds, or is about to acquire.
    ///
    /// `@safe`: `contents` is the address of an object of the lock, which outlives its critical sections.
    @safe
    struct Held {
      let id: LockID
      let mode: LockMode
      /// A hash of all locks below this one in `ThreadLocks.stack`, with their modes.
      var contextBelow: UInt64
      /// The address of the stack frame in which the lock was acquired.
      ///
      /// This is the frame of the primitive's function, or of the function into which the primitive's
      /// function is inlined. In a stack that is captured later, the frames of functions called from this one
      /// began after the acquisition.
      let frame: UInt
      let contents: UInt
      /// The time when the thread began to wait for the lock, in nanoseconds; 0 before the wait, or if no wait
      /// limit is set.
      var waitBegan: UInt64 = 0
      private var probe: Probe.Contents {
        unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: contents).unsafelyUnwrapped)
          .takeUnretainedValue()
      }

      var kind: PrimitiveKind { probe.primitive.kind }

      func setIsInGraph() { probe.flags.setBitsRelaxed(Probe.isInGraph) }
    }

    /// The maximum number of held locks that are tracked.
    static let capacity = 64
    static let isPending: UInt64 = 2

    let number = ThreadIdentity.current
    private let stack = UnsafeMutablePointer<Held>.allocate(capacity: capacity)
    private let ids = UnsafeMutablePointer<PlainAtomicWord>.allocate(capacity: capacity)
    /// Acquisitions that the graph has, each in the slot that its lowest bits select; 0 for an empty slot.
    ///
    /// A new acquisition replaces another one in its slot.
    private var known = [UInt64](repeating: 0, count: 2048)
    let sharedCount = PlainAtomicWord()
    /// The number of locks in `stack`.
    var count = 0
    /// The number of held locks for which `stack` had no room.
    private(set) var untrackedCount = 0
    /// A hash of all locks in `stack`, with their modes.
    private var context: UInt64 = 0
    /// Whether the thread runs code of the detector, or a closure that the detector calls.
    var isSuspended = false
    /// The work item of a dispatch queue that the thread is running; `nil` if there is none.
    var item: WorkItem?
    /// The last acquisition that a task has announced on this thread, and its stack; `nil` if no report could need it.
    ///
    /// When the task sleeps, a function of the package runs that the task's own functions have left the stack for.
    var announced: (task: UInt64, id: LockID, stack: LockStack)?
    /// The number of locks that the thread held before it began to acquire several locks together; `nil`
    /// while it does not acquire several.
    var countBeforeSeveral: Int?

    init() {
      for index in 0..<Self.capacity { unsafe (ids + index).initialize(to: PlainAtomicWord()) }
    }

    deinit {
      unsafe stack.deallocate()
      unsafe ids.deallocate()
    }

    // MARK: The stack

    /// Adds a lock to the stack of held locks.
    ///
    /// - Parameters:
    ///   - isPending: Whether the thread has not acquired the lock yet, but is about to.
    ///   - frame: The address of the stack frame in which the lock is acquired.
    @inline(__always)
    mutating func push(_ probe: borrowing Probe, _ mode: LockMode, isPending: Bool, frame: UInt) {
      let count = count
      guard count < Self.capacity else {
        untrackedCount += 1
        return
      }
      setCount(count + 1)
      let id = probe.contents.id
      unsafe (stack + count).initialize(
        to: Held(id: id, mode: mode, contextBelow: context, frame: frame, contents: probe.address))
      context = context(acquiring: id, mode)
      let bits = id.bits | mode.rawValue | (isPending ? Self.isPending : 0)
      unsafe ids[count].store(bits, .relaxed)
    }

    @inline(__always)
    mutating func endPending() {
      guard count > 0 else { return }
      let bits = unsafe ids[count - 1].load(.relaxed)
      unsafe ids[count - 1].store(bits & ~Self.isPending, .relaxed)
    }

    @inline(__always)
    mutating func remove(_ id: LockID) {
      if count > 0, unsafe stack[count - 1].id == id {
        setCount(count - 1)
        context = unsafe stack[count].contextBelow
      } else {
        removeFromMiddle(id)
      }
    }

    /// Removes a lock that is not the last one in the stack, or for which there was no room.
    ///
    /// A lock in the stack leaves it however many locks have no room: its entry points into the lock, which may
    /// be destroyed after the release.
    @inline(never)
    private mutating func removeFromMiddle(_ id: LockID) {
      guard var index = (0..<count).last(where: { unsafe stack[$0].id == id }) else {
        untrackedCount = max(0, untrackedCount - 1)
        return
      }
      setCount(count - 1)
      context = unsafe stack[index].contextBelow
      while index < count {
        var lock = unsafe stack[index + 1]
        lock.contextBelow = context
        unsafe stack[index] = lock
        unsafe ids[index].store(ids[index + 1].load(.relaxed), .relaxed)
        context = context(acquiring: lock.id, lock.mode)
        index += 1
      }
    }

    private mutating func setCount(_ new: Int) {
      count = new
      sharedCount.store(UInt64(new), .relaxed)
    }

    /// Whether the last lock in the stack is one that the thread has not acquired yet.
    var isWaiting: Bool {
      guard count > 0 else { return false }
      return unsafe ids[count - 1].load(.relaxed) & Self.isPending != 0
    }

    /// The property `Held.waitBegan` of the lock for which the thread waits; use it only if `isWaiting` is
    /// `true`.
    var waitBegan: UInt64 {
      get { unsafe stack[count - 1].waitBegan }
      set { unsafe stack[count - 1].waitBegan = newValue }
    }

    /// The stored locks in the order of acquisition.
    ///
    /// The thread may still be waiting for the last one.
    var held: [Held] { (0..<count).map { unsafe stack[$0] } }

    /// The held locks from which an acquisition that begins now gets edges in the graph.
    ///
    /// These are all stored locks, or those that the thread held before it began to acquire several locks
    /// together.
    var heldBefore: [Held] { Array(held.prefix(countBeforeSeveral ?? .max)) }

    /// The IDs of the locks in the stack, each with flags in its two lowest bits: the mode, and `isPending`.
    ///
    /// Any thread may read this property, and may see a mixture of old and new IDs.
    var sharedIDs: [UInt64] {
      let count = Int(sharedCount.load(.relaxed))
      return (0..<count).map { unsafe ids[$0].load(.relaxed) }
    }

    // MARK: What is known

    /// A hash of all locks in the stack and of the lock `id`, with their modes.
    @inline(__always)
    private func context(acquiring id: LockID, _ mode: LockMode) -> UInt64 {
      Self.context(context, acquiring: id, mode)
    }

    @inline(__always)
    private static func context(_ context: UInt64, acquiring id: LockID, _ mode: LockMode) -> UInt64 {
      let mixed = (context ^ (id.bits | mode.rawValue)) &* 0x9E37_79B9_7F4A_7C15
      return mixed ^ (mixed >> 29)
    }

    /// The cache key for an acquisition of the lock `id` with the locks that are held now, in the current
    /// epoch.
    @inline(__always)
    private func acquisition(of id: LockID, _ mode: LockMode) -> UInt64 {
      var below = context
      if let count = countBeforeSeveral, count < self.count { below = unsafe stack[count].contextBelow }
      return max(1, Self.context(below, acquiring: id, mode) ^ Detector.epoch.load(.relaxed))
    }

    /// Whether the cache contains an acquisition of the lock `id` with the same locks held.
    ///
    /// If the result is `true`, the graph already has all edges of the acquisition.
    @inline(__always)
    func knowsAcquisition(of id: LockID, _ mode: LockMode) -> Bool {
      let acquisition = acquisition(of: id, mode)
      return known[slot(of: acquisition)] == acquisition
    }

    /// Inserts an acquisition of the lock `id` into the cache.
    mutating func setKnown(_ id: LockID, _ mode: LockMode) {
      let acquisition = acquisition(of: id, mode)
      known[slot(of: acquisition)] = acquisition
    }

    @inline(__always)
    private func slot(of acquisition: UInt64) -> Int {
      Int(truncatingIfNeeded: acquisition) & (known.count - 1)
    }
  }

  /// A lock that a thread or a task holds, with the data for an edge of the graph from this lock.
  struct HeldLock {
    let id: LockID
    let mode: LockMode
    /// The stack frame of the acquisition, as in `ThreadLocks.Held`; not used if `stack` is not `nil`.
    var frame: UInt = 0
    /// The stack with which a task acquired the lock; `nil` if the acquisition is in the thread's own stack.
    var stack: LockStack?
  }

  extension HeldLock {
    init(_ lock: ThreadLocks.Held) {
      self.init(id: lock.id, mode: lock.mode, frame: lock.frame)
    }
  }

  /// Refers to the `ThreadLocks` of one thread.
  ///
  /// `@safe`: the `ThreadLocks` exists until its thread ends. Other threads may use it only while they hold
  /// the detector's mutex. Before the ending thread deallocates it, that thread acquires the mutex to
  /// unregister it.
  @safe
  struct LockingThread: Hashable {
    private let pointer: UnsafeMutablePointer<ThreadLocks>

    private init(_ pointer: UnsafeMutablePointer<ThreadLocks>) { unsafe self.pointer = unsafe pointer }

    static func == (first: LockingThread, second: LockingThread) -> Bool {
      unsafe first.pointer == second.pointer
    }

    func hash(into hasher: inout Hasher) { unsafe hasher.combine(pointer) }

    var locks: ThreadLocks {
      @inline(__always) _read { yield unsafe pointer.pointee }
      @inline(__always) nonmutating _modify { yield unsafe &pointer.pointee }
    }

    /// The calling thread; `nil` while it runs code of the detector, in which its acquisitions are ignored, and
    /// if the explorer runs the thread.
    @inline(__always)
    static var current: LockingThread? {
      if ExploredThreads.current != nil { return nil }
      guard let locks = unsafe interlock_current_thread_locks() else { return make() }
      // Sound: only `make` stores this pointer, which is the address of a `ThreadLocks`.
      let thread = unsafe LockingThread(locks.assumingMemoryBound(to: ThreadLocks.self))
      return thread.locks.isSuspended ? nil : thread
    }

    @inline(never)
    private static func make() -> LockingThread {
      let pointer = UnsafeMutablePointer<ThreadLocks>.allocate(capacity: 1)
      unsafe pointer.initialize(to: ThreadLocks())
      unsafe interlock_keep_thread_locks(pointer) { pointer in
        guard let pointer = unsafe pointer?.assumingMemoryBound(to: ThreadLocks.self) else { return }
        let thread = unsafe LockingThread(pointer)
        Detector.shared.withState { state, _ in _ = state.threads.remove(thread) }
        unsafe pointer.deinitialize(count: 1)
        unsafe pointer.deallocate()
      }
      let thread = unsafe LockingThread(pointer)
      Detector.shared.withState { state, _ in _ = state.threads.insert(thread) }
      return thread
    }
  }
#endif
