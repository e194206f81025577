internal import CInterlock
internal import InterlockCore

/// The list of all blocks of hazard slots.
///
/// A thread that finds no block to claim allocates one and adds it to the list. No block leaves the list.
@usableFromInline
package enum HazardRegistry {
  private static let isPrepared: Void = {
    // What `continueInChild` needs must exist before: it runs inside `fork`, where with some systems a first
    // `ThreadIdentity.current`, which registers a handler of its own, waits forever.
    _ = ThreadIdentity.current
    // In an exploration, each use of a word is a step that may wait for another thread.
    if ExploredThreads.current == nil { Reclaimer.initializeGlobals() }
    let error = interlock_prepare_hazard_records(
      { HazardRegistry.giveBack(from: $0) }, { HazardRegistry.continueInChild(with: $0) })
    if error != 0 {
      misuse(
        "Snapshot", "the system refused a key for thread-local values or a fork handler (error \(error))",
        "make fewer keys with pthread_key_create")
    }
  }()

  /// Registers what happens at the end of threads and in a child made by `fork`.
  ///
  /// Must be called before the first claim of a block and before the first retirement.
  @usableFromInline
  static func prepare() { _ = isPrepared }

  private static func block(at address: UInt) -> HazardBlock? {
    address == 0 ? nil : HazardBlock(address: address)
  }

  /// The newest block; `nil` if there is none.
  ///
  /// The load is sequentially consistent, as a scan's loads of slots are. So a scan that misses a block comes
  /// before the first announcement in that block.
  private static var first: HazardBlock? {
    block(at: UInt(truncatingIfNeeded: SnapshotWords.newest.load(.sequentiallyConsistent)))
  }

  // MARK: Claiming

  /// Returns a vacant slot of the calling thread, and claims a block if the thread has no vacant slot.
  ///
  /// - Parameter address: The address of the thread's first block, or of the placeholder if it has no block.
  static func findSlot(from address: UInt) -> HazardSlot {
    var block = HazardBlock(address: address)
    if block.isPlaceholder { return claimFirst().slot(0) }
    while true {
      for index in 0..<HazardBlock.slotCount where block.slot(index).isVacant { return block.slot(index) }
      guard let link = block.link else { break }
      block = link
    }
    let more = claim()
    block.link = more
    return more.slot(0)
  }

  /// Claims and returns the calling thread's first block.
  private static func claimFirst() -> HazardBlock {
    prepare()
    let block = claim()
    interlock_set_hazard_block(block.address, !ProcessBarrier.isAvailable)
    // Gives the thread's blocks back when the system's thread ends. An explored thread gives them back at the
    // end of its execution instead, because its system thread may run other executions later.
    if ExploredThreads.current == nil { interlock_end_hazard_block_with_thread(block.address) }
    return block
  }

  private static func claim() -> HazardBlock {
    var candidate = first
    while let block = candidate {
      if block.claim() { return block }
      candidate = self.block(at: block.next)
    }
    let new = HazardBlock.allocate()
    var head = SnapshotWords.newest.load(.relaxed)
    while true {
      new.next = UInt(truncatingIfNeeded: head)
      let (exchanged, found) = SnapshotWords.newest.compareExchange(
        expected: head, desired: UInt64(new.address), .sequentiallyConsistent)
      if exchanged { return new }
      head = found
    }
  }

  /// Gives back all blocks of a thread that ends; `address` is the address of its first block.
  static func giveBack(from address: UInt) {
    var block = block(at: address)
    while let current = block {
      block = current.link
      current.giveBack()
    }
  }

  // MARK: Scanning

  /// The addresses that threads announce in slots, in ascending order.
  static func hazards() -> [UInt64] {
    var found: [UInt64] = []
    var candidate = first
    while let block = candidate {
      for index in 0..<HazardBlock.slotCount {
        let address = block.slot(index).withWord { $0.load(.sequentiallyConsistent) }
        if address != HazardSlot.vacant { found.append(address) }
      }
      candidate = self.block(at: block.next)
    }
    found.sort()
    return found
  }

  /// The number of blocks, and the number of blocks that threads have claimed.
  static var counts: (all: Int, claimed: Int) {
    var counts = (all: 0, claimed: 0)
    var candidate = first
    while let block = candidate {
      counts.all += 1
      if block.isClaimed { counts.claimed += 1 }
      candidate = self.block(at: block.next)
    }
    return counts
  }

  // MARK: Fork

  /// Vacates and gives back the blocks of all threads except the calling one.
  ///
  /// Called in a child made by `fork`, in which the other threads don't exist. `own` is the address of the
  /// calling thread's first block, or of the placeholder if the thread has no block.
  private static func continueInChild(with own: UInt) {
    var candidate = first
    while let block = candidate {
      candidate = self.block(at: block.next)
      if isBlock(block, inChainFrom: own) { continue }
      for index in 0..<HazardBlock.slotCount { block.slot(index).vacate() }
      block.giveBack()
    }
    Reclamation.continueInChild()
  }

  private static func isBlock(_ block: HazardBlock, inChainFrom own: UInt) -> Bool {
    if HazardBlock(address: own).isPlaceholder { return false }
    var link = self.block(at: own)
    while let current = link {
      if current == block { return true }
      link = current.link
    }
    return false
  }
}

/// The slow path of `HazardSlot.free`.
@c
@usableFromInline
func interlock_find_hazard_slot(_ block: UInt, _: UInt) -> UInt {
  HazardRegistry.findSlot(from: block).address
}
