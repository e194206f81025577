internal import CContention
internal import LockSupport

/// Records the waits of threads for locks and events, in tables of a fixed size.
///
/// Slow paths call the recorder through `WaitHooks`, from many threads at the same time. The recorder
/// acquires no lock of this package and allocates nothing.
final class Recorder: Sendable {
  private let stacks: StackTable
  /// The waits for each lock, grouped by site.
  private let sites: WaitTable
  /// The waits for which `sites` had no room.
  ///
  /// The key of the lock is replaced by 0, so that sites which differ only in the lock share an entry.
  private let mergedSites: WaitTable
  private let locks = ContendedLocks()
  private let currentWaits = CurrentWaits()

  /// The number of waits for which neither `sites` nor `mergedSites` had room.
  private let lostWaits = AtomicWord()
  private let lostTime = AtomicWord()

  /// Open while waits are recorded: from `start` or `resume` to `stop`.
  private let gate = RecordingGate()

  init(
    stacks stackCapacity: Int = 16_384, sites siteCapacity: Int = 16_384,
    mergedSites mergedCapacity: Int = 1024
  ) {
    stacks = StackTable(capacity: stackCapacity)
    sites = WaitTable(capacity: siteCapacity)
    mergedSites = WaitTable(capacity: mergedCapacity)
  }

  // MARK: Runs
  // No two threads may call `start`, `resume`, `stop` or `abandon` at the same time.

  var isOn: Bool { gate.isOpen }

  /// Discards earlier records, and begins to record.
  func start() {
    stop()
    stacks.removeAll()
    sites.removeAll()
    mergedSites.removeAll()
    lostWaits.store(0, .relaxed)
    lostTime.store(0, .relaxed)
    resume()
  }

  /// Begins to record, and keeps earlier records.
  func resume() {
    stop()
    // Removes waits that began before `stop` and have not ended. The thread of such a wait still calls
    // `ended` later, which ignores the wait: its ticket has the number of an earlier run.
    locks.removeAll()
    currentWaits.removeAll()
    gate.open()
  }

  /// Ends the recording, and waits for threads that are recording a wait.
  func stop() {
    gate.close()
  }

  /// Ends the recording in a child made by `fork`, in which only the calling thread exists.
  func abandon() {
    gate.abandon()
    locks.openGuards()
  }

  // MARK: Waits
  // A ticket identifies a wait. From the lowest bits up, it has the number of the waiting stack in `stacks`,
  // the wait's number in `currentWaits`, whether `locks` lists the wait (`hasJoined`), and the number of the
  // run.

  private static let stackMask: UInt64 = 1 << 24 - 1
  private static let currentShift: UInt64 = 24
  private static let hasJoined: UInt64 = 1 << 40
  private static let runShift: UInt64 = 41

  /// See `WaitHooks`.
  func willSleep(_ wait: BegunWait) -> UInt64 {
    var ticket: UInt64 = 0
    gate.whileOpen { run in
      let waiter = stacks.numberOfCurrentStack()
      let current = currentWaits.add(
        CurrentWaits.Wait(wait: wait, thread: ThreadIdentity.current, waiter: waiter))
      ticket = run << Self.runShift | UInt64(current) << Self.currentShift | UInt64(waiter)
      if locks.join(wait.wakingKey, began: wait.began, heldBy: Self.holder(of: wait)) {
        ticket |= Self.hasJoined
      }
    }
    return ticket
  }

  /// The thread that holds the lock, and its running time; `nil` if either is not known, or if a task or
  /// readers hold the lock.
  private static func holder(of wait: BegunWait) -> ContendedLocks.Running? {
    let holder = wait.holder?(wait.lock) ?? 0
    guard holder > 0, holder <= UInt64(ThreadIdentity.mask) else { return nil }
    let ran = contention_running_time_of(UInt32(holder))
    return ran == 0
      ? nil : ContendedLocks.Running(thread: UInt32(holder), ran: ran, now: WaitHooks.now)
  }

  /// See `WaitHooks`.
  func released(_ wakingKey: UInt, at now: @autoclosure () -> UInt64 = WaitHooks.now) {
    gate.whileOpen { _ in
      guard locks.isWaitedFor(wakingKey) else { return }
      let releaser = stacks.numberOfCurrentStack()
      let running = ContendedLocks.Running(
        thread: ThreadIdentity.current, ran: contention_running_time(), now: WaitHooks.now)
      locks.release(wakingKey, by: releaser, at: now(), running)
    }
  }

  /// See `WaitHooks`.
  func ended(_ wait: BegunWait, _ ticket: UInt64, at now: @autoclosure () -> UInt64 = WaitHooks.now) {
    gate.whileOpen { run in
      // Ignores a wait that began in an earlier run, because `resume` has removed the wait from the tables.
      guard ticket >> Self.runShift == run & (.max >> Self.runShift) else { return }
      let time = now()
      let waited = time > wait.began ? time - wait.began : 0
      currentWaits.remove(Int(ticket >> Self.currentShift & 0xffff))
      let release = ticket & Self.hasJoined == 0 ? ContendedLocks.Release() : locks.leave(wait.wakingKey)
      let waiter = UInt32(ticket & Self.stackMask)
      var site = WaitSite(
        lock: wait.lock, primitive: wait.primitive, mode: wait.mode, waiter: waiter,
        releaser: release.releaser)
      if sites.add(site, waited: waited, release) { return }
      site.lock = 0
      site.primitive = Primitive(wait.primitive.kind)
      if mergedSites.add(site, waited: waited, release) { return }
      lostWaits.add(1, .relaxed)
      lostTime.add(waited, .relaxed)
    }
  }

  // MARK: Contents

  /// The number of threads that sleep in a recorded wait, or are about to sleep.
  var waitingThreads: Int { locks.waitingThreads }

  /// The recorded waits.
  struct Contents: Sendable {
    struct Entry: Sendable {
      var site: WaitSite
      /// The return addresses of the stack that waited, innermost first.
      var waiter: [UInt]
      /// The return addresses of the stack that released the lock, innermost first; empty if not known.
      var releaser: [UInt]
      var figures: WaitFigures
    }

    var entries: [Entry]
    var lostWaits: UInt64
    /// The total duration of the lost waits, in nanoseconds.
    var lostTime: UInt64
    /// The waits that have not ended; empty after `stop`.
    var current: [(wait: CurrentWaits.Wait, waiter: [UInt])]
  }

  func contents() -> Contents {
    let entries = (sites.contents() + mergedSites.contents()).map { site, figures in
      Contents.Entry(
        site: site, waiter: stacks.addresses(ofNumber: site.waiter),
        releaser: stacks.addresses(ofNumber: site.releaser), figures: figures)
    }
    // Does not read `currentWaits` after `stop`: that table still has waits that have ended since, and it
    // would ask their locks for the holder, although those locks may be deallocated.
    let current = gate.isOpen ? currentWaits.contents() : []
    return Contents(
      entries: entries, lostWaits: lostWaits.load(.relaxed), lostTime: lostTime.load(.relaxed),
      current: current.map { ($0, stacks.addresses(ofNumber: $0.waiter)) })
  }
}
