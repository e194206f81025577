/// The functions that slow paths call to record waits in a profile of contention.
///
/// While no profile is recording, no functions are installed: a slow path loads their address and finds 0.
/// Fast paths never call these functions.
package struct WaitHooks: Sendable {
  /// Called when a thread or a task is about to sleep in a wait that is not recorded yet.
  ///
  /// Returns a nonzero ticket, which identifies the wait in `Ended`; 0 if the wait is not recorded.
  package typealias WillSleep = @Sendable (_ wait: BegunWait) -> UInt64
  /// Called when a recorded wait has ended, while the lock still exists.
  package typealias Ended = @Sendable (_ wait: BegunWait, _ ticket: UInt64) -> Void
  /// Called after a thread has released a lock or made another awaited change, and before it wakes a waiting
  /// thread.
  package typealias Released = @Sendable (_ wakingKey: UInt) -> Void

  fileprivate let willSleep: WillSleep
  fileprivate let ended: Ended
  fileprivate let released: Released

  package init(
    willSleep: @escaping WillSleep, ended: @escaping Ended, released: @escaping Released
  ) {
    self.willSleep = willSleep
    self.ended = ended
    self.released = released
  }

  /// The address of the installed `WaitHooks`; 0 if none are installed.
  private static let address = AtomicWord()

  fileprivate static var current: UnsafePointer<WaitHooks>? {
    // Waits of threads that the explorer runs are not recorded: the explorer repeats executions exactly, and
    // recorded durations would make them differ.
    if ExploredThreads.current != nil { return nil }
    return unsafe UnsafePointer(bitPattern: UInt(truncatingIfNeeded: address.load(.acquiring)))
  }

  /// Makes slow paths call `hooks`; `nil` ends these calls.
  ///
  /// - Parameter hooks: A pointer to functions that must never be deallocated. Waits that have already begun
  ///   call them even after another call of `install`.
  package static func install(_ hooks: UnsafePointer<WaitHooks>?) {
    address.store(UInt64(UInt(bitPattern: hooks)), .releasing)
  }
}

/// Returns the holder of the lock with the given key; the lock must still exist.
///
/// The result is the owner's `ThreadIdentity` or `TaskIdentity`. If readers hold the lock, it is their number
/// with the bit `LockHolders.readers` set; the number is 0 if it is unknown. The result is 0 if the lock is
/// free or does not record its owner.
package typealias HolderLookup = @convention(c) (_ lock: UInt) -> UInt64

/// The flag that distinguishes the two kinds of numbers that a `HolderLookup` returns.
@usableFromInline
package enum LockHolders {
  /// The bit that marks a result as a number of readers, instead of an owner's identity.
  ///
  /// No `ThreadIdentity` or `TaskIdentity` has this bit.
  @_alwaysEmitIntoClient
  package static var readers: UInt64 { 1 << 63 }
}

/// A wait that has begun, as slow paths report it to a profile.
package struct BegunWait: Sendable {
  /// The key of the lock or other object that the thread waits for.
  package let lock: UInt
  package let primitive: Primitive
  package let mode: LockMode
  /// The key that the waking thread passes to `Probe.willWake`.
  package let wakingKey: UInt
  /// When the wait began.
  package let began: UInt64
  /// The `TaskIdentity` of the waiting task; 0 if a thread waits.
  package let task: UInt64
  /// Returns the holder of the lock; `nil` if the lock does not record its holder.
  package let holder: HolderLookup?

  package init(
    lock: UInt, primitive: Primitive, mode: LockMode, wakingKey: UInt, began: UInt64, task: UInt64 = 0,
    holder: HolderLookup? = nil
  ) {
    self.lock = lock
    self.primitive = primitive
    self.mode = mode
    self.wakingKey = wakingKey
    self.began = began
    self.task = task
    self.holder = holder
  }
}

extension Probe {
  /// Tells the tools that the calling thread is about to wake threads that wait for a lock or for another change.
  ///
  /// Call this after the release and before the wake-up. The lock may already be deallocated, so only its key
  /// is used.
  @_transparent
  package static func willWake(_ wakingKey: UInt) {
    // Sound: the installed functions are never deallocated, as `install` requires.
    if let hooks = unsafe WaitHooks.current { unsafe hooks.pointee.released(wakingKey) }
  }

  /// A wait of a thread or a task in a slow path, for a profile of contention and for the explorer's reports.
  ///
  /// The wait begins with `init` and ends when this value is destroyed. A profile has it only if it was recording
  /// at its beginning, and if the thread sleeps.
  @safe
  package struct Wait: ~Copyable {
    // Sound, as is the type's `@safe`: the installed functions are never deallocated, as `WaitHooks.install`
    // requires.
    private let hooks: UnsafePointer<WaitHooks>?
    private let wait: BegunWait
    /// 0 until the wait is recorded; then the profile's ticket, or 1 in an exploration.
    private var ticket: UInt64 = 0

    /// Begins a wait of the calling thread or task.
    ///
    /// - Parameters:
    ///   - lock: The key of the lock, which must exist until this value is destroyed.
    ///   - primitive: The lock or event that the thread waits for.
    ///   - mode: How the thread acquires `primitive`.
    ///   - wakingKey: The key that the waking thread passes to `Probe.willWake`; `nil` if it is `lock`.
    ///     If each waiting thread sleeps on a word of its own, it is the key of that word.
    ///   - task: The `TaskIdentity` of the waiting task; 0 if a thread waits.
    ///   - holder: Returns the holder of the lock; `nil` if the lock does not record its holder. Any thread may
    ///     call this function during the wait.
    package init(
      for lock: UInt, _ primitive: Primitive, _ mode: LockMode = .write, wokenBy wakingKey: UInt? = nil,
      task: UInt64 = 0, heldBy holder: HolderLookup? = nil
    ) {
      unsafe hooks = WaitHooks.current
      let began = unsafe hooks == nil ? 0 : MonotonicClock.now
      wait = BegunWait(
        lock: lock, primitive: primitive, mode: mode, wakingKey: wakingKey ?? lock, began: began, task: task,
        holder: holder)
    }

    /// Records the wait, if a profile was recording when the wait began, or in an exploration.
    ///
    /// Must be called each time the thread is about to sleep. It does nothing once the wait is recorded.
    ///
    /// - Returns: Whether this call has recorded the wait in a profile; `true` at most once in a wait. The caller
    ///   should then check the lock again before it sleeps, because recording takes time.
    package mutating func willSleep() -> Bool {
      if let thread = ExploredThreads.current, ticket == 0 {
        thread.noteWait(for: wait.primitive, isOfTask: wait.task != 0)
        ticket = 1
      }
      guard let hooks = unsafe hooks, ticket == 0 else { return false }
      ticket = unsafe hooks.pointee.willSleep(wait)
      return ticket != 0
    }

    deinit {
      if ticket == 0 { return }
      guard let hooks = unsafe hooks else { return ExploredThreads.current?.noteEndOfWait() ?? () }
      unsafe hooks.pointee.ended(wait, ticket)
    }
  }
}
