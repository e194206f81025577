public import CInterlock
public import InterlockCore
internal import InterlockWaits
internal import UnfairLocks

/// A running delivery (a body of `whileActive` or `activate`) of the thread that made this value.
///
/// A thread's deliveries form a chain on its stack, from the innermost one outwards. A thread-local variable
/// has the address of the innermost one. The chain tells a thread which of a lifecycle's deliveries are its
/// own, so that an invalidation does not wait for them.
@usableFromInline
@frozen
struct Delivery: ~Copyable {
  // Words with a raw layout, because these have an address that stays the same. The explorer does not see
  // them: only the thread itself changes its chain, and `DeliveryWaits` orders the reads of other threads.
  @usableFromInline
  let lifecycle: PlainAtomicWord
  @usableFromInline
  let outer: PlainAtomicWord

  /// The flag of `lifecycle` that says that the delivery is counted in the lifecycle's word, and in no slot.
  // A key is a multiple of 8.
  @_alwaysEmitIntoClient
  static var counted: UInt { 1 }

  @_alwaysEmitIntoClient
  @inline(__always)
  init(to key: UInt, _ announcement: Announcement) {
    lifecycle = PlainAtomicWord(UInt64(key | (announcement.isInSlot ? 0 : Self.counted)))
    outer = PlainAtomicWord(UInt64(Self.innermost))
  }

  /// The address of the calling thread's innermost delivery; 0 outside deliveries.
  @_alwaysEmitIntoClient
  static var innermost: UInt {
    @inline(__always) get { interlock_innermost_delivery() }
    @inline(__always) set { interlock_set_innermost_delivery(newValue) }
  }

  // Apart from `init`, where the value may not have its final address yet.
  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func begin() { Self.innermost = lifecycle.address }

  /// Must be called on the same thread, and after the end of each inner delivery.
  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func end() { Self.innermost = UInt(truncatingIfNeeded: outer.load(.relaxed)) }

  /// The number of deliveries to the lifecycle with `key` in a chain.
  ///
  /// - Parameter chain: The innermost delivery of the calling thread, or of a thread that waits.
  static func count(of key: UInt, in chain: UInt = innermost) -> Count {
    var count = Count()
    var address = chain
    // Sound: a delivery in the chain runs, so its thread has not left the function that the value belongs to.
    while let delivery = unsafe UnsafePointer<Delivery>(bitPattern: address) {
      let lifecycle = unsafe UInt(truncatingIfNeeded: delivery.pointee.lifecycle.load(.relaxed))
      if lifecycle == key { count.inSlots += 1 }
      if lifecycle == key | counted { count.counted += 1 }
      address = unsafe UInt(truncatingIfNeeded: delivery.pointee.outer.load(.relaxed))
    }
    return count
  }

  /// A number of deliveries to one lifecycle.
  struct Count {
    var inSlots = 0
    var counted: UInt64 = 0

    var isZero: Bool { inSlots == 0 && counted == 0 }
  }

  /// How a delivery is announced to threads that invalidate its lifecycle.
  @usableFromInline
  @frozen
  struct Announcement {
    /// The address of the slot; 0 if the delivery is counted.
    @usableFromInline
    let slotAddress: UInt

    @_alwaysEmitIntoClient
    @inline(__always)
    init(in slot: Slot) { slotAddress = slot.address }

    private init() { slotAddress = 0 }

    static var counted: Announcement { Announcement() }

    @_alwaysEmitIntoClient
    @inline(__always)
    var isInSlot: Bool { slotAddress != 0 }

    @_alwaysEmitIntoClient
    @inline(__always)
    var slot: Slot { Slot(address: slotAddress) }
  }

  /// The slot of `SlotTable.deliveries` that the calling thread tries first.
  @_alwaysEmitIntoClient
  static var firstSlot: Slot {
    @inline(__always) get { Slot(address: interlock_delivery_slot()) }
  }

  /// Puts `key` into a vacant slot, the thread's first one or the next.
  ///
  /// Returns `nil` if both are taken.
  static func publish(_ key: UInt) -> Slot? {
    var first = firstSlot
    defer { interlock_set_delivery_slot(first.address, !ProcessBarrier.isAvailable) }
    return SlotTable.deliveries.publish(key, in: &first, isNested: innermost != 0, trying: 1)
  }
}

/// Detects deadlocks among threads that wait for deliveries to end, and are in deliveries themselves.
///
/// Such a thread stays in its own deliveries until its wait has ended. If several of these threads wait for
/// one another in a cycle, none ever proceeds. The thread whose wait completes the cycle finds it here.
/// Threads wait only for lifecycles that are closed to new deliveries. While a thread waits, its chain of
/// deliveries does not change, so other threads can read it.
final class DeliveryWaits: Sendable {
  static let shared = DeliveryWaits()

  private struct Wait {
    /// The innermost delivery of the waiting thread.
    let chain: UInt
    /// The key of the lifecycle for whose deliveries the thread waits.
    let key: UInt
  }

  private let lock = UnfairLock()

  // Sound: accessed only while `lock` is held. The dynamic exclusivity check would repeat at run time what
  // the lock already ensures. Each thread in this array wrote its chain before it acquired the lock, and
  // removes its wait before it changes the chain.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var waits: [Wait] = []

  private init() {}

  /// Records that the calling thread, which is in a delivery, waits until no other thread is in a delivery to
  /// the lifecycle with `key`.
  ///
  /// - Returns: Whether the wait would close a cycle. If so, the wait is not recorded; otherwise the caller
  ///   must call `end()` after its wait.
  func begin(for key: UInt) -> Bool {
    let own = Wait(chain: Delivery.innermost, key: key)
    return lock.withLock {
      // The calling thread's wait, and the waits of threads for which it waits, directly or through others.
      // The loop appends the waits that it finds, and visits them too.
      var reached = [own]
      var index = 0
      while index < reached.count {
        let awaited = reached[index].key
        for wait in unsafe waits where !Delivery.count(of: awaited, in: wait.chain).isZero {
          if !Delivery.count(of: wait.key, in: own.chain).isZero { return true }
          if !reached.contains(where: { $0.key == wait.key }) { reached.append(wait) }
        }
        index += 1
      }
      unsafe waits.append(own)
      return false
    }
  }

  /// Removes the wait that `begin(for:)` has recorded for the calling thread.
  func end() {
    let chain = Delivery.innermost
    lock.withLock { unsafe waits.removeAll { $0.chain == chain } }
  }
}
