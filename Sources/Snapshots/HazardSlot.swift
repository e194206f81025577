public import CInterlock
public import InterlockCore

/// A word in which a thread announces the value that it reads, so that no thread frees that value.
///
/// The documentation of `Reclamation` explains the algorithm, and names the steps `H1` to `H4`.
@usableFromInline
@frozen
struct HazardSlot {
  @usableFromInline
  let address: UInt

  @_alwaysEmitIntoClient
  @_transparent
  init(address: UInt) {
    self.address = address
  }

  @_alwaysEmitIntoClient
  @_transparent
  static var vacant: UInt64 { 0 }

  @_alwaysEmitIntoClient
  @_transparent
  func withWord<R>(_ body: (borrowing AtomicWord) -> R) -> R {
    // Sound: the address is that of a slot in a block, or of the placeholder that is never vacant. Neither is
    // ever freed.
    unsafe body(UnsafePointer<AtomicWord>(bitPattern: address).unsafelyUnwrapped.pointee)
  }

  /// A vacant slot of the calling thread.
  ///
  /// It is the first slot of the thread's first block. If an outer read uses that slot, or the thread has no
  /// block yet, another slot is found out of line.
  @_alwaysEmitIntoClient
  @_transparent
  static var free: HazardSlot {
    let block = interlock_hazard_block()
    let slot = HazardSlot(address: block)
    if _fastPath(slot.isVacant) { return slot }
    return HazardSlot(address: callOutOfLine(interlock_find_hazard_slot, block))
  }

  /// Whether the slot announces nothing.
  ///
  /// Only the thread that owns the slot may call this.
  @_alwaysEmitIntoClient
  @_transparent
  var isVacant: Bool { withWord { $0.load(.relaxed) == Self.vacant } }

  /// Announces the address that `current` holds, and returns that address.
  ///
  /// No thread frees the value at that address until `vacate`. Retries only if `current` changes between the
  /// load before the announcement and the load after it.
  @_alwaysEmitIntoClient
  @_transparent
  func protect(_ current: borrowing AtomicWord) -> UInt {
    var address = current.load(.relaxed)  // H1
    while true {
      let found = announce(address, andLoad: current)
      if _fastPath(found == address) { return UInt(truncatingIfNeeded: address) }
      address = found
    }
  }

  /// Stores `address` in the slot, and then loads and returns `current`.
  ///
  /// The load must not move before the store. The barrier that `Reclamation.scan` executes on all threads
  /// ensures that. Where the system has no such barrier, an exchange instead of the store does.
  @_alwaysEmitIntoClient
  @_transparent
  func announce(_ address: UInt64, andLoad current: borrowing AtomicWord) -> UInt64 {
    if _slowPath(interlock_exchanges_hazards()) {
      _ = withWord { $0.exchange(address, .sequentiallyConsistent) }  // H2
      return current.load(.sequentiallyConsistent)  // H3
    }
    withWord { $0.store(address, .releasing) }  // H2
    ProcessBarrier.light()
    return current.load(.acquiring)  // H3
  }

  /// Ends the announcement.
  @_alwaysEmitIntoClient
  @_transparent
  func vacate() {
    withWord { $0.store(Self.vacant, .releasing) }  // H4
  }
}
