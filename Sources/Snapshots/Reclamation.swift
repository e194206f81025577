internal import Dispatch
internal import LockSupport

/// Frees values that a snapshot has replaced, when their last readers have finished.
///
/// # Why
/// A reader borrows a value without a lock and without counting itself. So a publisher does not know when it
/// may free the value that it has replaced. Here a reader announces the value's address in a hazard slot
/// (Michael, 2004), and one *look* of the process frees the replaced values that no slot announces. The usual
/// hazard pointer needs a full barrier in each read. Here the look has it, for all threads
/// (`ProcessBarrier`): a read is two stores and two loads more than an unprotected one.
///
/// # State
/// `retired`, one word for the process:
///
/// | word | meaning |
/// |---|---|
/// | `idle` | nothing is retired, and no look is scheduled |
/// | `armed` | a look is scheduled or under way, and nothing was retired since it began |
/// | an address | a look is scheduled or under way; the address is that of the newest box retired since |
///
/// `survivors` is a list of boxes that a look has found in slots. Only a look may use it.
///
/// # Steps
/// A reader: **H1** loads the cell's word, **H2** announces the address, **H3** loads the word again and
/// repeats if it has changed, **H4** vacates the slot. A publisher: **P1** stores the new address, **P2**
/// retires the old box, and schedules a look if it found `idle`. A look: **L1** takes all that is retired,
/// **L2** barrier, **L3** scans all slots, **L4** keeps what it has found, and schedules a look or goes idle,
/// **L5** frees the rest.
///
/// # Invariants
/// 1. The look frees a box only if the scan has not found it, and a barrier came between P1 and the scan.
/// 2. One look at a time is between L1 and L4: the one that the thread that left `idle`, or the last look,
///    has scheduled. So `survivors` has one user.
/// 3. Two barriers are at least 20 ms apart: a look is scheduled after the barrier of the one before.
/// 4. A survivor is covered: a barrier came after its P1. So a look without new boxes needs no barrier.
///
/// # Why no value is freed while it is read
/// Let a reader pass H3 with a box that a look frees. If H2 came before the reader's part of the barrier L2,
/// the scan has found the slot, or H4 came before: contradiction, or the reader has left. If H2 came after
/// it, H3 sees P1 and repeats. With an exchange in H2 and no barrier, the order of sequentially consistent
/// operations says the same: P1, L3, H2 and H3 are such operations. An address that is used again is announced as
/// a new value, and protected as such.
///
/// # Memory ordering
/// P1 releases and H3 acquires the contents of the box. H2 and H4 release and L3 acquires the end of the
/// reads before them. P2 releases and L1 acquires the list. L4 releases `survivors` to the next look.
///
/// # Progress and fairness
/// Reads are lock-free, retiring is lock-free, and no thread waits for a reader. A value that is read stays,
/// and one slot keeps one value.
///
/// # Misuse
/// None that reaches here: updates inside updates trap in `Snapshot`.
///
/// The article *How values are reclaimed* has the costs and what happens at a fork.
@usableFromInline
enum Reclamation {
  /// Also the value with which `retired` begins.
  private static let idle: UInt64 = 0
  private static let armed: UInt64 = 1

  /// The time from the first retired value to the look that frees it.
  ///
  /// It bounds the barriers of the process: 50 in a second.
  private static let delayInMilliseconds = 20

  /// The number of times that a scan has executed the process's barrier.
  static let barriers = AtomicWord()

  // MARK: Retiring

  /// Frees the box at `address`, which no cell refers to any more, when its readers have left.
  @usableFromInline
  static func retire(_ address: UInt) {
    var head = SnapshotWords.retired.load(.relaxed)
    while true {
      unsafe header(at: address).pointee.next = head == armed ? 0 : UInt(truncatingIfNeeded: head)
      let (exchanged, found) = SnapshotWords.retired.compareExchange(
        expected: head, desired: UInt64(address), .releasing)  // P2
      if exchanged { break }
      head = found
    }
    if isInChild { return lookInChild() }
    if head == idle { schedule() }
  }

  private static func schedule() {
    if SnapshotWords.leavesLookToTest() || isInChild { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delayInMilliseconds)) { look() }
  }

  private static func header(at address: UInt) -> UnsafeMutablePointer<RetiredBox> {
    // Sound: the header is the first field of each box. A retired box is in one list, whose user frees it.
    unsafe UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
  }

  // MARK: The look

  /// Frees the retired boxes that no thread reads.
  static func look() {
    let taken = SnapshotWords.retired.exchange(armed, .acquiring)  // L1
    let new = taken == idle || taken == armed ? 0 : UInt(truncatingIfNeeded: taken)
    if new != 0, ProcessBarrier.isAvailable {
      barriers.add(1, .relaxed)
      ProcessBarrier.heavy()  // L2
    }
    let hazards = HazardRegistry.hazards()  // L3
    var kept: UInt = 0
    var free: UInt = 0
    sort(new, by: hazards, &kept, &free)
    sort(UInt(truncatingIfNeeded: SnapshotWords.survivors.load(.acquiring)), by: hazards, &kept, &free)
    SnapshotWords.survivors.store(UInt64(kept), .releasing)  // L4
    if kept != 0
      || !SnapshotWords.retired.compareExchange(expected: armed, desired: idle, .releasing).exchanged
    {
      schedule()
    }
    dispose(free)  // L5
  }

  /// Moves each box of a list to the list `kept` if it is among `hazards`, otherwise to the list `free`.
  private static func sort(
    _ list: UInt, by hazards: [UInt64], _ kept: inout UInt, _ free: inout UInt
  ) {
    var box = list
    while box != 0 {
      let current = box
      let isRead = contains(hazards, UInt64(current))
      let header = unsafe header(at: current)
      box = unsafe header.pointee.next
      unsafe header.pointee.next = isRead ? kept : free
      if isRead { kept = current } else { free = current }
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

  /// Frees the boxes of a list.
  ///
  /// The `deinit` of a value may publish, and may take long. The next look does not wait for its end.
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

  // A child made by `fork` can't use dispatch queues. In a child, the publishing thread calls `look()`
  // itself.

  private static let child = AtomicWord()
  /// 1 while a thread of the child looks.
  private static let isLooking = AtomicWord()
  private static let lastLook = AtomicWord()

  private static var isInChild: Bool { child.load(.relaxed) != 0 }

  static func continueInChild() {
    child.store(1, .relaxed)
    isLooking.store(0, .relaxed)
    ProcessBarrier.registerInChild()
  }

  private static func lookInChild() {
    guard isLooking.exchange(1, .acquiring) == 0 else { return }
    if Deadline.now &- lastLook.load(.relaxed) >= UInt64(delayInMilliseconds) * 1_000_000 {
      look()
      lastLook.store(Deadline.now, .relaxed)
    }
    isLooking.store(0, .releasing)
  }
}
