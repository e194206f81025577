internal import CContention
internal import InterlockCore

/// Records the waits of threads for locks and events.
///
/// Slow paths call the recorder through `WaitHooks`, from many threads at the same time: when a thread is
/// about to sleep, when it has woken, and when it wakes others. A mutex, which is no lock of this package,
/// protects the state.
final class Recorder: Sendable {
  struct State {
    var isOn = false
    /// When the current recording began, in nanoseconds.
    var began: UInt64 = 0
    /// The total duration, in nanoseconds, of the recordings that have ended since the last `start`.
    var earlier: UInt64 = 0

    var sites: [WaitSite: WaitFigures] = [:]
    /// The waits that have not ended, by their tickets.
    var current: [UInt64: Current] = [:]
    /// The locks of `current`, by their waking keys.
    var locks: [UInt: ContendedLock] = [:]
    /// The number of waits for which `sites` had no room, and their total duration in nanoseconds.
    var lostWaits: UInt64 = 0
    var lostTime: UInt64 = 0

    /// The ticket of the last wait that began; never reset.
    fileprivate var ticket: UInt64 = 0
    /// A cache for reports.
    var symbols = Symbols()
    var names = ObjectNames()

    /// The total duration, in nanoseconds, of the recordings since the last `start`.
    var duration: UInt64 {
      let now = MonotonicClock.now
      return earlier + (isOn && now > began ? now - began : 0)
    }
  }

  /// A wait that has not ended.
  struct Current: Sendable {
    var wait: BegunWait
    /// The `ThreadIdentity` of the waiting thread.
    var thread: UInt32
    /// The return addresses of the waiting stack, innermost first.
    var waiter: [UInt]
    /// The lock's holder, as a `HolderLookup` returns it; `contents()` sets it.
    var holder: UInt64 = 0
  }

  /// The maximum number of sites, and of sites beyond them that merge the waits for all locks.
  private let limits: (sites: Int, mergedSites: Int)

  // Sound: `state` is accessed only in `withState`, while the mutex is held.
  private nonisolated(unsafe) var state = State()

  init(sites: Int = 12_288, mergedSites: Int = 768) { limits = (sites, mergedSites) }

  /// Runs `body` while the mutex is held, and returns its result; `body` must not acquire a lock.
  func withState<R>(_ body: (inout State) -> R) -> R {
    contention_lock()
    defer { contention_unlock() }
    return unsafe body(&state)
  }

  // MARK: Runs

  /// Discards earlier records, and begins to record.
  ///
  /// - Parameter install: Makes slow paths call the recorder.
  func start(_ install: () -> Void = {}) {
    withState { state in
      state.sites = [:]
      state.lostWaits = 0
      state.lostTime = 0
      state.earlier = 0
      Self.begin(&state, install)
    }
  }

  /// Begins to record, and keeps earlier records; does nothing during a recording.
  func resume(_ install: () -> Void = {}) {
    withState { state in if !state.isOn { Self.begin(&state, install) } }
  }

  private static func begin(_ state: inout State, _ install: () -> Void) {
    // The thread of a wait that has not ended still calls `ended`, which ignores it.
    state.current = [:]
    state.locks = [:]
    state.began = MonotonicClock.now
    state.isOn = true
    install()
  }

  /// Ends the recording, and ignores the waits that have not ended.
  func stop(_ uninstall: () -> Void = {}) {
    withState { state in
      if !state.isOn { return }
      uninstall()
      state.earlier = state.duration
      state.isOn = false
      state.current = [:]
      state.locks = [:]
    }
  }

  // MARK: Waits

  /// See `WaitHooks`.
  func willSleep(_ wait: BegunWait) -> UInt64 {
    let current = Current(wait: wait, thread: ThreadIdentity.current, waiter: Self.stack())
    return withState { state in
      guard state.isOn else { return 0 }
      state.ticket += 1
      state.current[state.ticket] = current
      state.locks[wait.wakingKey, default: ContendedLock(since: wait.began)].waiting += 1
      return state.ticket
    }
  }

  /// See `WaitHooks`.
  func released(_ wakingKey: UInt, at now: @autoclosure () -> UInt64 = MonotonicClock.now) {
    let stack = Self.stack()
    withState { state in state.locks[wakingKey]?.release(by: stack, at: now()) }
  }

  /// See `WaitHooks`.
  func ended(_ wait: BegunWait, _ ticket: UInt64, at now: @autoclosure () -> UInt64 = MonotonicClock.now) {
    // In builds with a trait, finding the class of a primitive acquires a mutex.
    let unnamed = Primitive(wait.primitive.kind)
    withState { state in
      guard let current = state.current.removeValue(forKey: ticket) else { return }
      let time = now()
      let waited = time > wait.began ? time - wait.began : 0
      var site = WaitSite(
        lock: wait.lock, primitive: wait.primitive, mode: wait.mode, waiter: current.waiter,
        releaser: state.locks[wait.wakingKey]?.releaser ?? [])
      let blocked = state.locks[wait.wakingKey]?.leave() ?? 0
      if state.locks[wait.wakingKey]?.waiting == 0 { state.locks[wait.wakingKey] = nil }
      func add(limit: Int) -> Bool {
        if state.sites.count >= limit, state.sites[site] == nil { return false }
        state.sites[site, default: WaitFigures()].add(waited: waited, blocked: blocked)
        return true
      }
      if add(limit: limits.sites) { return }
      // There are too many locks: counts the wait by its stacks alone.
      site.lock = 0
      site.primitive = unnamed
      if add(limit: limits.sites + limits.mergedSites) { return }
      state.lostWaits += 1
      state.lostTime += waited
    }
  }

  private static func stack() -> [UInt] {
    // No closure fills the array: its frames would be in the stack.
    var stack = [UInt](repeating: 0, count: 48)
    let depth = unsafe Int(contention_stack(&stack, UInt32(stack.count)))
    stack.removeLast(stack.count - depth)
    return stack
  }

  /// The recorded waits, with the holders of the locks for which threads and tasks wait now.
  func contents() -> State {
    withState { state in
      var contents = state
      contents.earlier = state.duration
      contents.isOn = false
      // A thread whose wait ends removes it first, so each lock in `current` still exists.
      contents.current = state.current.mapValues { current in
        var current = current
        if let holder = current.wait.holder { current.holder = holder(current.wait.lock) }
        return current
      }
      return contents
    }
  }
}
