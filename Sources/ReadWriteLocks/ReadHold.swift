/// How a thread entered a read section of a biased lock, and so how it leaves.
@usableFromInline
struct ReadHold: Equatable, Sendable {
  enum Kind: UInt {
    /// Through a slot that is emptied with a plain store; the lock does not know.
    case slot
    /// Through the central lock, noted in a slot or (the index is past the last) in none.
    case central
    /// The thread was in already.
    case nested
    /// Through a slot, published with a full barrier.
    case fencedSlot
    /// Through the central lock, noted in slot 0, where a hint is left.
    case hinted
    /// Through slot 0, published with a full barrier.
    case entryFenced
  }

  /// The kind in three bits, the slot's index above them.
  @usableFromInline
  let bits: UInt

  @inlinable
  init(bits: UInt) {
    self.bits = bits
  }

  private init(_ kind: Kind, _ index: Int) {
    bits = kind.rawValue | UInt(index) << 3
  }

  // MARK: Holds

  /// In slot 0, published with a plain store.
  @inlinable
  static var firstSlot: ReadHold { ReadHold(bits: 0) }

  /// In the central lock, noted in slot 0, by the fast path.
  @inlinable
  static var firstCentral: ReadHold { ReadHold(bits: 4) }

  /// In slot 0, published with a full barrier.
  @inlinable
  static var firstEntryFenced: ReadHold { ReadHold(bits: 5) }

  static func slot(_ index: Int) -> ReadHold { ReadHold(.slot, index) }
  static func fencedSlot(_ index: Int) -> ReadHold { ReadHold(.fencedSlot, index) }
  static func central(_ index: Int) -> ReadHold { ReadHold(.central, index) }
  static let centralUnnoted = ReadHold(.central, ReaderRecord.slotCount)
  static let nested = ReadHold(.nested, 0)

  // MARK: Parts

  var kind: Kind { Kind(rawValue: bits & 7)! }
  var index: Int { Int(bits >> 3) }
}
