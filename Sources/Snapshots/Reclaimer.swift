internal import InterlockCore
internal import InterlockServices

/// The service that frees the values which snapshots have replaced: it calls `Reclamation.scan()`, 20 ms apart.
///
/// # Why
/// A thread of the pool of tasks or of a dispatch queue runs late, or never, while the program computes on all
/// of them: two tasks that published for two seconds once kept 2 GB. The system's scheduler lets a thread that
/// has slept run soon.
///
/// # Calls
/// A call of the service frees the values of one snapshot that a scan has found. If a `deinit` takes long, the service
/// goes on with other snapshots on another thread. Values of that snapshot wait for the end of its call: so there is one
/// such thread for each snapshot.
///
/// # State
/// - `freedUntil`: the coarse time of the last S1 all of whose boxes were freed, found in slots, or wait for a stuck call.
/// - `stuckCalls`: the number of lanes that are `stuck` or `over`.
/// - `backlog`: what the service alone uses, on one thread at a time.
///
/// A *lane* is a record of a call, which is used for one call after another. Its state:
///
/// | state | meaning | next state |
/// |---|---|---|
/// | `vacant` | there is no call | the service begins a call: `calling` |
/// | `calling` | a call is under way | the call ends: `vacant`; the service finds it on another thread: `stuck` |
/// | `stuck` | values of the lane's snapshot wait for the call | the call ends: `over` |
/// | `over` | the service must free the values that wait | the service has seen it: `vacant` |
///
/// # No value is forgotten
/// A publisher that finds `Reclamation` idle in P2 makes a request, so the service looks for work again. Otherwise another
/// publisher does, or the service has found that a scan is due. A call that ends as `stuck` makes a request.
///
/// # The bound
/// A value is freed within 40 ms and the time that freeing takes, unless it is being read. If the values of 60 ms
/// ago are not freed yet, each publication first sleeps for a millisecond. So the values that are alive but not
/// current are at most those of 60 ms, some more for each publishing thread, and one for each slot in use. A call that
/// is stuck slows the publications to its own snapshot, and delays the values of others by two intervals of
/// `ServiceThread`. A publisher does not wait for the freeing to end: it may hold a lock that a `deinit` needs.
enum Reclaimer {
  static let service = ServiceThread()
  private static let freedUntil = AtomicWord()
  static let stuckCalls = AtomicWord()
  /// The address of the newest lane.
  private static let lanes = AtomicWord()
  /// A word that never changes, on which publishers sleep.
  private static let pause = LockWord()

  private struct Backlog {
    /// The list of unused boxes of each snapshot.
    var lists: [UInt: UInt] = [:]
    /// The snapshots that have a list, and no stuck call.
    var ready: [UInt] = []
    /// When the next scan is due, in nanoseconds; 0 if nothing is retired.
    var nextScan: UInt64 = 0
    /// The coarse time of the last S1; 0 after `freedUntil` has got it.
    var scannedAt: UInt64 = 0
  }

  // Sound: only the service's runner uses it, and the only thread of a child made by `fork`.
  @exclusivity(unchecked)
  private nonisolated(unsafe) static var backlog = Backlog()

  /// 1 while the service changes `backlog` and the lists of `Reclamation`.
  private static let isChanging = LockWord()

  /// The time between two scans, which limits the process to 50 barriers in a second.
  private static var interval: UInt64 { 20_000_000 }
  /// The age of an unfreed value at which publishers slow down.
  private static var lateNanoseconds: UInt64 { 60_000_000 }

  // MARK: Publishers

  /// Makes the service scan soon.
  ///
  /// The caller must have retired a value.
  static func wake() {
    HazardRegistry.prepare()
    freedUntil.store(Deadline.coarseNow, .relaxed)
    service.request(next)
  }

  /// Sleeps for a millisecond if values of the snapshot `owner` are freed late.
  static func waitIfLate(_ owner: UInt) {
    if isLate(owner), firstLane(where: { $0.thread.loadRelaxed() == ThreadIdentity.current }) == nil {
      // The publisher that had to wake the service may not have done so yet.
      service.request(next)
      pause.wait(while: 0, until: Deadline(after: .milliseconds(1)))
    }
  }

  /// Whether values that the snapshot `owner` has replaced 60 ms ago are not freed yet.
  static func isLate(_ owner: UInt) -> Bool {
    let late = Deadline.coarseNow &- lateNanoseconds
    if freedUntil.load(.relaxed) < late { return true }
    if stuckCalls.load(.relaxed) == 0 { return false }
    return firstLane { $0.isStuck(owner) && $0.began.load(.relaxed) < late } != nil
  }

  // MARK: The service

  /// Initializes each global that the service uses, so that it initializes none.
  ///
  /// In a child made by `fork` meanwhile, an initialization that the service had begun would never end.
  static func initializeGlobals() {
    _ = (service, freedUntil.load(.relaxed), stuckCalls.load(.relaxed), lanes.load(.relaxed))
    _ = unsafe (pause.loadRelaxed(), isChanging.loadRelaxed(), backlog.nextScan, Processors.count)
    Reclamation.initializeGlobals()
  }

  @Sendable private static func next() -> ServiceThread.Next {
    isChanging.storeRelaxed(1)
    defer { isChanging.storeRelaxed(0) }
    return unsafe next(&backlog)
  }

  /// Frees what is ready; otherwise scans if an interval has passed since a value was retired, or since all was freed.
  private static func next(_ backlog: inout Backlog) -> ServiceThread.Next {
    _ = firstLane { lane in
      lane.review(&backlog)
      return false
    }
    if let call = call(&backlog) { return call }
    if backlog.scannedAt != 0 { freedUntil.store(backlog.scannedAt, .relaxed) }
    backlog.scannedAt = 0
    if Reclamation.isIdle { return .rest }
    if backlog.nextScan == 0 { backlog.nextScan = Deadline.now + interval }
    let due = Deadline(nanoseconds: backlog.nextScan)
    if !due.hasPassed { return .sleep(until: due) }
    backlog.nextScan = 0
    backlog.scannedAt = Deadline.coarseNow
    add(Reclamation.scan().unused, to: &backlog)
    return next(&backlog)
  }

  /// Adds the boxes of a list to the lists of their snapshots.
  private static func add(_ list: UInt, to backlog: inout Backlog) {
    var box = list
    while box != 0 {
      let first = box
      var last = unsafe Reclamation.header(at: box)
      let owner = unsafe last.pointee.owner
      box = unsafe last.pointee.next
      while box != 0, unsafe Reclamation.header(at: box).pointee.owner == owner {
        unsafe last = Reclamation.header(at: box)
        box = unsafe last.pointee.next
      }
      let rest = backlog.lists.updateValue(first, forKey: owner)
      unsafe last.pointee.next = rest ?? 0
      if rest == nil, firstLane(where: { $0.isStuck(owner) }) == nil { backlog.ready.append(owner) }
    }
  }

  /// The call that frees the values of one snapshot.
  private static func call(_ backlog: inout Backlog) -> ServiceThread.Next? {
    guard let owner = backlog.ready.popLast(), let list = backlog.lists.removeValue(forKey: owner) else {
      return nil
    }
    let lane = firstLane { $0.state.load(.acquiring) == Lane.vacant } ?? addLane()
    lane.owner.store(UInt64(owner), .relaxed)
    lane.began.store(Deadline.coarseNow, .relaxed)
    lane.state.store(Lane.calling, .releasing)
    let othersWait = !backlog.ready.isEmpty || !Reclamation.isIdle
    return .call({ lane.free(list) }, othersWait: othersWait)
  }

  // MARK: Lanes

  private final class Lane: Sendable {
    static var vacant: UInt64 { 0 }
    static var calling: UInt64 { 1 }
    static var stuck: UInt64 { 2 }
    static var over: UInt64 { 3 }

    let state = AtomicWord()
    /// The snapshot whose values the call frees, and when it began.
    let owner = AtomicWord()
    let began = AtomicWord()
    /// The `ThreadIdentity` of the thread that is in the call, or 0.
    let thread = LockWord()
    let older: UInt64

    init(older: UInt64) { self.older = older }

    /// Whether values of the snapshot `owner` wait for the call.
    func isStuck(_ owner: UInt) -> Bool {
      state.load(.acquiring) >= Self.stuck && self.owner.load(.relaxed) == UInt64(owner)
    }

    func free(_ list: UInt) {
      thread.storeRelaxed(ThreadIdentity.current)
      Reclamation.free(list)
      thread.storeRelaxed(0)
      if state.compareExchange(expected: Self.calling, desired: Self.vacant, .releasing).exchanged { return }
      state.store(Self.over, .releasing)
      service.request(next)
    }

    /// Finds out whether the call is stuck, and whether a stuck one is over.
    ///
    /// Only a service that has left the thread of a call finds it under way.
    func review(_ backlog: inout Backlog) {
      if state.compareExchange(expected: Self.calling, desired: Self.stuck, .acquiring).exchanged {
        stuckCalls.add(1, .relaxed)
      } else if state.load(.acquiring) == Self.over {
        let owner = UInt(truncatingIfNeeded: owner.load(.relaxed))
        if backlog.lists[owner] != nil { backlog.ready.append(owner) }
        state.store(Self.vacant, .relaxed)
        stuckCalls.add(0 &- 1, .relaxed)
      }
    }
  }

  private static func firstLane(where matches: (Lane) -> Bool) -> Lane? {
    var address = lanes.load(.acquiring)
    while let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(truncatingIfNeeded: address)) {
      // Sound: `addLane` has retained it, and no lane is released.
      let lane = unsafe Unmanaged<Lane>.fromOpaque(pointer).takeUnretainedValue()
      if matches(lane) { return lane }
      address = lane.older
    }
    return nil
  }

  private static func addLane() -> Lane {
    let lane = Lane(older: lanes.load(.relaxed))
    lanes.store(unsafe UInt64(UInt(bitPattern: Unmanaged.passRetained(lane).toOpaque())), .releasing)
    return lane
  }

  // MARK: Fork

  /// Forgets the calls of other threads, which do not exist in a child made by `fork`.
  ///
  /// - Returns: Whether no thread was changing the lists at the fork.
  static func continueInChild() -> Bool {
    let isWhole = isChanging.loadRelaxed() == 0
    isChanging.storeRelaxed(0)
    // Not assigned: that would release what another thread was changing.
    if !isWhole { unsafe withUnsafeMutablePointer(to: &backlog) { unsafe $0.initialize(to: Backlog()) } }
    _ = firstLane { lane in
      if lane.thread.loadRelaxed() != ThreadIdentity.current {
        lane.thread.storeRelaxed(0)
        let isStuck = lane.state.load(.relaxed) >= Lane.stuck
        lane.state.store(isStuck ? Lane.over : Lane.vacant, .relaxed)
      }
      return false
    }
    return isWhole
  }
}
