internal import CInterlock
internal import InterlockCore

/// A block of hazard slots that one thread at a time owns.
///
/// A thread claims a block with its first read, and another one when nested reads have used all slots of its
/// blocks. It gives its blocks back when it ends. Blocks are reused, and never freed.
///
/// A block has `slotCount` slots. They are followed by `link` (the next block of the same thread), `next`
/// (the next block of the process), and a word that says whether a thread has claimed the block. Only the
/// owner uses `link`. A claim acquires what the last owner released. `next` never changes once the block is
/// in the list of all blocks.
struct HazardBlock: Equatable {
  let address: UInt

  #if Exploration
    // Explored threads have fewer slots. Each load of a slot is a step of a schedule, so more slots would
    // mean more schedules.
    static let slotCount = 2
  #else
    static let slotCount = 4
  #endif

  /// The distance between two blocks, in bytes.
  ///
  /// Blocks don't share a cache line of up to 128 bytes, nor a pair of 64-byte lines, which some processors
  /// prefetch together.
  private static let stride = 128

  private static let linkOffset: UInt = 64
  private static let nextOffset: UInt = 72
  private static let claimOffset: UInt = 80

  /// The value in the only slot of the placeholder, which stands for the block of a thread that has none.
  ///
  /// No box has this address.
  private static let placeholder: UInt64 = 1

  // Sound, for each `unsafe` in this type: blocks are never freed, and all offsets are inside a block.
  static func allocate() -> HazardBlock {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: stride, alignment: stride)
    unsafe memory.initializeMemory(as: UInt64.self, repeating: 0, count: stride / 8)
    for index in 0..<slotCount {
      unsafe (memory + 8 * index).initializeMemory(as: AtomicWord.self, to: AtomicWord(HazardSlot.vacant))
    }
    unsafe (memory + Int(claimOffset)).initializeMemory(as: AtomicWord.self, to: AtomicWord(1))
    return HazardBlock(address: UInt(bitPattern: memory))
  }

  /// Whether this is the placeholder, which has one slot and no other field.
  var isPlaceholder: Bool { slot(0).withWord { $0.load(.relaxed) } == Self.placeholder }

  func slot(_ index: Int) -> HazardSlot { HazardSlot(address: address &+ UInt(8 * index)) }

  private func field(at offset: UInt) -> UnsafeMutablePointer<UInt> {
    unsafe UnsafeMutablePointer(bitPattern: address &+ offset).unsafelyUnwrapped
  }

  /// The next block of the same thread.
  var link: HazardBlock? {
    get {
      let address = unsafe field(at: Self.linkOffset).pointee
      return address == 0 ? nil : HazardBlock(address: address)
    }
    nonmutating set { unsafe field(at: Self.linkOffset).pointee = newValue?.address ?? 0 }
  }

  /// The address of the next block of the process; 0 at the end.
  var next: UInt {
    get { unsafe field(at: Self.nextOffset).pointee }
    nonmutating set { unsafe field(at: Self.nextOffset).pointee = newValue }
  }

  private func withClaim<R>(_ body: (borrowing AtomicWord) -> R) -> R {
    unsafe body(UnsafePointer<AtomicWord>(bitPattern: address &+ Self.claimOffset).unsafelyUnwrapped.pointee)
  }

  /// Makes the calling thread the block's owner; returns `false` if another thread owns the block.
  func claim() -> Bool {
    withClaim {
      $0.load(.relaxed) == 0 && $0.compareExchange(expected: 0, desired: 1, .acquiring).exchanged
    }
  }

  /// Makes the block free for any thread to claim; all its slots must be vacant.
  func giveBack() {
    link = nil
    withClaim { $0.store(0, .releasing) }
  }

  var isClaimed: Bool { withClaim { $0.load(.relaxed) != 0 } }
}
