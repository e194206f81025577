public import ThreadRecords

/// Identifies the slot and the entry that record a delivery, so that both are vacated when the delivery ends.
///
/// A *delivery* is a call that `Lifecycle.whileActive` admits. An *entry* is a word of the thread's
/// `ThreadRecord`; it holds the lifecycle's key during the delivery.
@usableFromInline
@frozen
struct DeliveryToken: Equatable, Sendable {
  /// The constant `dropped`, `nested` or `unslotted`; or the address of the delivery's slot plus the index of
  /// its entry in the `ThreadRecord` (1 to 7).
  ///
  /// The address of a slot is a multiple of 128. The constants are smaller than 128.
  @usableFromInline
  let bits: UInt

  @_alwaysEmitIntoClient
  init(bits: UInt) {
    self.bits = bits
  }

  @_alwaysEmitIntoClient
  static func inSlot(_ slot: Slot, entry index: Int) -> DeliveryToken {
    DeliveryToken(bits: slot.address | UInt(index))
  }

  /// The delivery was dropped.
  @_alwaysEmitIntoClient
  static var dropped: DeliveryToken { DeliveryToken(bits: 1 << 3) }

  /// Marks a nested delivery, which is not recorded.
  ///
  /// A delivery is nested if its `Lifecycle.whileActive` is called inside the body of another `whileActive` of
  /// the same lifecycle.
  static var nested: DeliveryToken { DeliveryToken(bits: 2 << 3) }

  /// Marks a delivery that is recorded in `UnslottedDeliveries` and not in a slot.
  static var unslotted: DeliveryToken { DeliveryToken(bits: 3 << 3) }

  // MARK: Parts

  /// Whether the delivery is recorded in a slot and in the last entry of the `ThreadRecord`.
  ///
  /// The inlined fast path ends such a delivery. All other deliveries end out of line.
  @_alwaysEmitIntoClient
  var isInSlotWithLastEntry: Bool { bits & 127 == 7 }

  var entry: Int { Int(bits & 7) }

  @_alwaysEmitIntoClient
  var slot: Slot { Slot(address: bits & ~127) }
}
