internal import CInterlock
internal import InterlockCore

/// Frees values that a snapshot has replaced, when their last readers have finished.
///
/// # Why
/// A reader borrows a value without a lock and without counting itself. So a publisher does not know when it
/// may free the value that it has replaced. Here a reader announces the value's address in a hazard slot
/// (Michael, 2004). From time to time a *scan* reads all slots, and frees the replaced values that no slot
/// announces. A thread of its own scans (`Reclaimer`). The usual hazard pointer needs a full barrier in each read. Here
/// the scan executes it on all threads (`ProcessBarrier`), so a read costs only two stores and two loads more than an
/// unprotected one.
///
/// # State
/// `retired`, one word for the process:
///
/// | word | meaning |
/// |---|---|
/// | `idle` | nothing is retired, and no scan is due |
/// | `armed` | a scan is due or under way; nothing was retired since the last scan began |
/// | an address | a scan is due or under way; the address is that of the newest retired box |
///
/// `survivors` is a list of boxes that a scan has found in slots. Only a scan may use it.
///
/// # Steps
/// A reader: **H1** loads the snapshot's word, **H2** announces the address, **H3** loads the word again and
/// repeats if it has changed, **H4** vacates the slot. A publisher: **P1** stores the new address, **P2**
/// puts the old box into the list `retired`, and wakes the `Reclaimer` if it found `idle`.
///
/// A scan: **S1** takes the list `retired` and stores `armed`. **S2** executes a barrier on all threads if S1
/// has taken any box. **S3** reads all slots. **S4** makes `survivors` the list of the boxes that S3 has
/// found. Another scan is due if there are survivors or a box was retired since S1; otherwise S4 stores
/// `idle`. **S5**, after the scan, frees the other boxes.
///
/// # Invariants
/// 1. A scan frees a box only if no slot in S3 has its address, and a barrier came between P1 and S3.
/// 2. One thread at a time scans, so `survivors` has one user. It waits for a P2 that finds `idle` only after an
///    S4 that has gone idle.
/// 3. Two barriers are at least 20 ms apart, because the thread sleeps for 20 ms before each scan.
/// 4. A barrier has come after the P1 of each survivor. So a scan without new boxes needs no barrier.
///
/// # Why no value is freed while it is read
/// Suppose that a reader has passed H3 with a box, and that a scan reads the slots later. If H2 came before
/// the reader's part of the barrier S2, then either S3 finds the slot and the scan keeps the box, or
/// H4 came before S3 and the reader has finished. If H2 came after that part of the barrier, H3 sees
/// P1 and repeats. Where the system has no barrier, H2 is an exchange, and the total order of the
/// sequentially consistent operations P1, S3, H2 and H3 has the same effect. An address that is reused is
/// announced as that of a new value, and is protected as such.
///
/// # Memory ordering
/// P1 releases and H3 acquires the contents of the box. H2 and H4 release and S3 acquires the end of the
/// reads before them. P2 releases and S1 acquires the list.
///
/// # Progress and fairness
/// Reads are lock-free, and no thread waits for a reader. A value that is being read is not freed. Each slot
/// keeps at most one value alive. If values are published faster than they are freed, or the system lets the
/// `Reclaimer` wait for a processor, publishers slow down (`Reclaimer.waitIfLate`). They never free a value
/// themselves: its `deinit` could need a lock that the publisher holds.
///
/// # Misuse
/// None that reaches this type: updates inside updates trap in `Snapshot`.
///
/// The article *How values are reclaimed* has the costs and what happens at a fork.
@usableFromInline
enum Reclamation {
  /// The initial value of `retired`: nothing is retired, and no scan is scheduled.
  private static let idle: UInt64 = 0
  private static let armed: UInt64 = 1

  /// The number of times that a scan has executed the process's barrier.
  static let barriers = AtomicWord()

  // MARK: Retiring

  /// Frees the box at `address`, a value of the snapshot `owner`, some time after its last reader has finished.
  ///
  /// No snapshot may refer to the box any more, so that no new reader finds it.
  @usableFromInline
  static func retire(_ address: UInt, of owner: UInt) {
    unsafe header(at: address).pointee.owner = owner
    var head = SnapshotWords.retired.load(.relaxed)
    while true {
      unsafe header(at: address).pointee.next = head == armed ? 0 : UInt(truncatingIfNeeded: head)
      let (exchanged, found) = SnapshotWords.retired.compareExchange(
        expected: head, desired: UInt64(address), .sequentiallyConsistent)  // P2
      if exchanged { break }
      head = found
    }
    if SnapshotWords.leavesScanToTest(ifIdle: head == idle) { return }
    if head == idle { Reclaimer.wake() } else { Reclaimer.waitIfLate(owner) }
  }

  /// Whether nothing is retired, and no scan is due.
  ///
  static var isIdle: Bool { SnapshotWords.retired.load(.acquiring) == idle }

  static func header(at address: UInt) -> UnsafeMutablePointer<RetiredBox> {
    // Sound: the header is the first field of each box. A retired box is in one list at a time, and only
    // the thread that uses this list can free the box.
    unsafe UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
  }

  // MARK: The scan

  /// Initializes each global that a scan uses; see `Reclaimer.initializeGlobals`.
  static func initializeGlobals() {
    _ = (idle, armed, barriers.load(.relaxed), ProcessBarrier.isAvailable)
    _ = (SnapshotWords.newest.load(.relaxed), SnapshotWords.retired.load(.relaxed))
    _ = SnapshotWords.survivors.load(.relaxed)
  }

  /// Finds the retired boxes that no thread reads; returns whether another scan is due, and the list of these boxes,
  /// which the caller must free.
  ///
  /// At most one thread at a time may call this (invariant 2).
  static func scan() -> (isDue: Bool, unused: UInt) {
    let taken = SnapshotWords.retired.exchange(armed, .acquiring)  // S1
    let new = taken == idle || taken == armed ? 0 : UInt(truncatingIfNeeded: taken)
    if new != 0, ProcessBarrier.isAvailable {
      barriers.add(1, .relaxed)
      ProcessBarrier.heavy()  // S2
    }
    let hazards = HazardRegistry.hazards()  // S3
    var kept: UInt = 0
    var unused: UInt = 0
    sort(new, by: hazards, &kept, &unused)
    sort(UInt(truncatingIfNeeded: SnapshotWords.survivors.load(.acquiring)), by: hazards, &kept, &unused)
    SnapshotWords.survivors.store(UInt64(kept), .releasing)  // S4
    let isIdle =
      kept == 0
      && SnapshotWords.retired.compareExchange(expected: armed, desired: idle, .releasing).exchanged
    return (!isIdle, unused)
  }

  /// Moves each box of a list to the list `kept` if it is among `hazards`, otherwise to the list `unused`.
  private static func sort(
    _ list: UInt, by hazards: [UInt64], _ kept: inout UInt, _ unused: inout UInt
  ) {
    var box = list
    while box != 0 {
      let current = box
      let isRead = contains(hazards, UInt64(current))
      let header = unsafe header(at: current)
      box = unsafe header.pointee.next
      unsafe header.pointee.next = isRead ? kept : unused
      if isRead { kept = current } else { unused = current }
    }
  }

  private static func contains(_ sorted: [UInt64], _ address: UInt64) -> Bool {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < address { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count && sorted[low] == address
  }

  /// Frees the boxes of a list that `scan` has returned. (S5)
  ///
  /// The `deinit` of a value is code of the program. It can publish, or take long.
  static func free(_ list: UInt) {
    interlock_run_with_signals({ Reclamation.dispose($0) }, list)
  }

  private static func dispose(_ list: UInt) {
    var box = list
    while box != 0 {
      let current = box
      let header = unsafe header(at: current)
      box = unsafe header.pointee.next
      unsafe header.pointee.disposal.dispose(current)
    }
  }

  // MARK: Fork

  /// Makes the state that of a process whose one thread is the calling one, in a child made by `fork`.
  ///
  /// Boxes that another thread was sorting or freeing at the fork leak in the child.
  static func continueInChild() {
    ProcessBarrier.registerInChild()
    if !Reclaimer.continueInChild() { SnapshotWords.survivors.store(0, .relaxed) }
    // A publisher wakes the reclaimer if it finds `idle`. The one that had to do so may not exist here.
    let retired = SnapshotWords.retired.exchange(idle, .relaxed)
    if retired == idle || retired == armed { return }
    var last = UInt(truncatingIfNeeded: retired)
    while unsafe header(at: last).pointee.next != 0 { last = unsafe header(at: last).pointee.next }
    unsafe header(at: last).pointee.next = UInt(truncatingIfNeeded: SnapshotWords.survivors.load(.relaxed))
    SnapshotWords.survivors.store(retired, .relaxed)
  }
}
