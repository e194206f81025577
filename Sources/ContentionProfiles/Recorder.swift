internal import LockSupport

/// Records the waits of threads for locks and events, in tables of a fixed size.
///
/// Slow paths call the recorder through `WaitHooks`, from many threads at once. The recorder acquires no lock
/// of this package and allocates nothing.
final class Recorder: Sendable {
  private let stacks: StackTable
  /// The waits for each lock.
  private let sites: WaitTable
  /// The waits for which `sites` had no room.
  ///
  /// The key of the lock is replaced by 0. So sites that differ only in the lock are merged.
  private let mergedSites: WaitTable
  private let locks = ContendedLocks()

  /// The number of waits for which neither `sites` nor `mergedSites` had room.
  private let lostWaits = AtomicWord()
  private let lostTime = AtomicWord()

  /// Open while waits are recorded: from `start` or `resume` to `stop`.
  private let gate = RecordingGate()

  init(
    stacks stackCapacity: Int = 2048, sites siteCapacity: Int = 1024, mergedSites mergedCapacity: Int = 256
  ) {
    stacks = StackTable(capacity: stackCapacity)
    sites = WaitTable(capacity: siteCapacity)
    mergedSites = WaitTable(capacity: mergedCapacity)
  }

  // MARK: Runs
  // The caller excludes other callers.

  var isOn: Bool { gate.isOpen }

  /// Discards what was recorded, and begins to record.
  func start() {
    stop()
    stacks.removeAll()
    sites.removeAll()
    mergedSites.removeAll()
    lostWaits.store(0, .relaxed)
    lostTime.store(0, .relaxed)
    resume()
  }

  /// Begins to record, and keeps what was recorded.
  func resume() {
    stop()
    // `locks` may still list waits that began before `stop`. They are removed here. When such a wait ends,
    // its thread calls `ended`, which ignores the wait: its ticket has the number of an earlier run.
    locks.removeAll()
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
  // A ticket identifies a wait. It has the number of the run, whether `locks` lists the wait (`hasJoined`),
  // and the number of the waiting thread's stack.

  private static let hasJoined: UInt64 = 1 << 31

  /// See `WaitHooks`.
  func willSleep(_ wakingKey: UInt, began: UInt64) -> UInt64 {
    var ticket: UInt64 = 0
    gate.whileOpen { run in
      ticket = run << 32 | UInt64(stacks.numberOfCurrentStack())
      if locks.join(wakingKey, began: began) { ticket |= Self.hasJoined }
    }
    return ticket
  }

  /// See `WaitHooks`.
  func released(_ wakingKey: UInt, at now: @autoclosure () -> UInt64 = WaitHooks.now) {
    gate.whileOpen { _ in
      guard locks.isWaitedFor(wakingKey) else { return }
      locks.release(wakingKey, by: stacks.numberOfCurrentStack(), at: now())
    }
  }

  /// See `WaitHooks`.
  func ended(_ wait: EndedWait, at now: @autoclosure () -> UInt64 = WaitHooks.now) {
    gate.whileOpen { run in
      // A wait that began in an earlier run is ignored, because `resume` has removed it from `locks`.
      guard wait.ticket >> 32 == run & 0xffff_ffff else { return }
      let time = now()
      let waited = time > wait.began ? time - wait.began : 0
      let release =
        wait.ticket & Self.hasJoined == 0 ? ContendedLocks.Release() : locks.leave(wait.wakingKey)
      let waiter = UInt32(truncatingIfNeeded: wait.ticket & (Self.hasJoined - 1))
      var site = WaitSite(
        lock: wait.lock, primitive: wait.primitive, mode: wait.mode, waiter: waiter,
        releaser: release.releaser)
      if sites.add(site, waited: waited, blocked: release.blocked) { return }
      site.lock = 0
      site.primitive = Primitive(wait.primitive.kind)
      if mergedSites.add(site, waited: waited, blocked: release.blocked) { return }
      lostWaits.add(1, .relaxed)
      lostTime.add(waited, .relaxed)
    }
  }

  // MARK: Contents

  /// The number of threads that sleep in a recorded wait, or are about to.
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
    /// In nanoseconds.
    var lostTime: UInt64
  }

  func contents() -> Contents {
    let entries = (sites.contents() + mergedSites.contents()).map { site, figures in
      Contents.Entry(
        site: site, waiter: stacks.addresses(ofNumber: site.waiter),
        releaser: stacks.addresses(ofNumber: site.releaser), figures: figures)
    }
    return Contents(
      entries: entries, lostWaits: lostWaits.load(.relaxed), lostTime: lostTime.load(.relaxed))
  }
}
