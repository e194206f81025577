/// How a delivery entered its lifecycle, and so how it leaves.
@usableFromInline
struct DeliveryHold: Equatable, Sendable {
  enum Kind: UInt {
    /// Through a slot, published with a plain store.
    case slot
    /// Through a slot, published with a full barrier.
    case fencedSlot
    /// The thread was in already.
    case nested
    /// Noted in the lifecycle itself: the thread had no slot left.
    case unslotted
    /// Not at all.
    case dropped
  }

  /// The kind in three bits, the slot's index above them.
  @usableFromInline
  let bits: UInt

  @inlinable
  init(bits: UInt) {
    self.bits = bits
  }

  private init(_ kind: Kind, _ index: Int = 0) {
    bits = kind.rawValue | UInt(index) << 3
  }

  // MARK: Holds

  /// In the last slot, published with a plain store.
  @inlinable
  static var lastSlot: DeliveryHold { DeliveryHold(bits: 7 << 3) }

  @inlinable
  static var dropped: DeliveryHold { DeliveryHold(bits: 4) }

  static func slot(_ index: Int) -> DeliveryHold { DeliveryHold(.slot, index) }
  static func fencedSlot(_ index: Int) -> DeliveryHold { DeliveryHold(.fencedSlot, index) }
  static let nested = DeliveryHold(.nested)
  static let unslotted = DeliveryHold(.unslotted)

  // MARK: Parts

  var kind: Kind { Kind(rawValue: bits & 7)! }
  var index: Int { Int(bits >> 3) }
}
