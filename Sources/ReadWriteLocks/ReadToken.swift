public import ThreadRecords

/// How a reader entered a biased lock, and so how it leaves.
@usableFromInline
struct ReadToken: Equatable, Sendable {
  /// A slot's address, which is a multiple of 128 or 0, the index of the note in three bits, and a flag.
  @usableFromInline
  let bits: UInt

  @inlinable
  init(bits: UInt) {
    self.bits = bits
  }

  @inlinable
  static var counted: UInt { 1 << 3 }
  private static var unnoted: UInt { 1 << 4 }
  private static var entered: UInt { 1 << 5 }

  /// Through a slot, with a note.
  @inlinable
  static func inSlot(_ slot: Slot, note index: Int) -> ReadToken {
    ReadToken(bits: slot.address | UInt(index))
  }

  /// Through the central lock, with a note.
  @inlinable
  static func counted(note index: Int) -> ReadToken { ReadToken(bits: counted | UInt(index)) }

  /// Through the central lock, without a note: the thread has none left.
  static var countedWithoutNote: ReadToken { ReadToken(bits: counted | unnoted) }

  /// The thread is in a read section already.
  static var nested: ReadToken { ReadToken(bits: entered) }

  // MARK: Parts

  /// In a slot, with the first note.
  @inlinable
  var isInSlotWithFirstNote: Bool { bits & 127 == 0 }

  var isNested: Bool { bits == Self.entered }
  var isCounted: Bool { bits & Self.counted != 0 }
  var note: Int? { bits & Self.unnoted == 0 ? Int(bits & 7) : nil }

  @inlinable
  var slot: Slot { Slot(address: bits & ~127) }
}

/// What a reader keeps from its entry to its end, so that it is looked up once.
@usableFromInline
struct ReadSection {
  @usableFromInline
  let token: ReadToken

  @usableFromInline
  let record: ThreadRecord

  /// One more than the thread's first note is to have after the section.
  @usableFromInline
  let firstNote: UInt

  @inlinable
  init(token: ReadToken, record: ThreadRecord, firstNote: UInt) {
    self.token = token
    self.record = record
    self.firstNote = firstNote
  }
}
