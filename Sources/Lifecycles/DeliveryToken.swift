public import ThreadRecords

/// How a delivery entered its lifecycle, and so how it leaves.
@usableFromInline
struct DeliveryToken: Equatable, Sendable {
  /// A slot's address, which is a multiple of 128 or 0, and the index of the note in three bits, or one of the values below.
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

  /// Not at all.
  @inlinable
  static var dropped: DeliveryToken { DeliveryToken(bits: 1 << 3) }

  /// The thread was in already.
  static var nested: DeliveryToken { DeliveryToken(bits: 2 << 3) }

  /// In `UnslottedDeliveries`.
  static var unslotted: DeliveryToken { DeliveryToken(bits: 3 << 3) }

  // MARK: Parts

  /// In a slot, with the last note.
  @inlinable
  var isInSlotWithLastNote: Bool { bits & 127 == 7 }

  var note: Int { Int(bits & 7) }

  @inlinable
  var slot: Slot { Slot(address: bits & ~127) }
}
