public import ThreadRecords

/// Says where the beginning of a delivery was recorded, so that its end can remove the record.
///
/// A *delivery* is a call that `Lifecycle.whileActive` admits. A *note* is an entry of the thread's
/// `ThreadRecord` with the lifecycle's key.
@usableFromInline
@frozen
struct DeliveryToken: Equatable, Sendable {
  /// Either the address of a slot, with the index of the thread's note in the low three bits, or one of the
  /// values below.
  ///
  /// The address of a slot is a multiple of 128. The values below are smaller than 128.
  @usableFromInline
  let bits: UInt

  @inlinable
  init(bits: UInt) {
    self.bits = bits
  }

  @inlinable
  static func inSlot(_ slot: Slot, note index: Int) -> DeliveryToken {
    DeliveryToken(bits: slot.address | UInt(index))
  }

  /// The delivery was dropped.
  @inlinable
  static var dropped: DeliveryToken { DeliveryToken(bits: 1 << 3) }

  /// The thread is in a delivery to this lifecycle already.
  static var nested: DeliveryToken { DeliveryToken(bits: 2 << 3) }

  /// The delivery is in `UnslottedDeliveries`.
  static var unslotted: DeliveryToken { DeliveryToken(bits: 3 << 3) }

  // MARK: Parts

  /// Whether the delivery is in a slot and has the last note, as an outermost delivery does.
  @inlinable
  var isInSlotWithLastNote: Bool { bits & 127 == 7 }

  var note: Int { Int(bits & 7) }

  @inlinable
  var slot: Slot { Slot(address: bits & ~127) }
}
