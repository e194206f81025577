public import ThreadRecords

/// How a reader acquired a biased lock, which determines how it releases the lock.
@usableFromInline
struct ReadToken: Equatable, Sendable {
  /// The address of a slot, which is a multiple of 128 or 0, the index of the note in three bits, and flags.
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

  /// Acquired through a slot, with a note.
  @inlinable
  static func inSlot(_ slot: Slot, note index: Int) -> ReadToken {
    ReadToken(bits: slot.address | UInt(index))
  }

  /// Acquired as a counted reader, with a note.
  @inlinable
  static func counted(note index: Int) -> ReadToken { ReadToken(bits: counted | UInt(index)) }

  /// Acquired as a counted reader, without a note: the thread has no vacant note.
  static var countedWithoutNote: ReadToken { ReadToken(bits: counted | unnoted) }

  /// Nested: the thread is in a read section of the lock already.
  static var nested: ReadToken { ReadToken(bits: entered) }

  // MARK: Parts

  /// Whether the lock was acquired through a slot, with the first note.
  @inlinable
  var isInSlotWithFirstNote: Bool { bits & 127 == 0 }

  var isNested: Bool { bits == Self.entered }
  var isCounted: Bool { bits & Self.counted != 0 }
  var note: Int? { bits & Self.unnoted == 0 ? Int(bits & 7) : nil }

  @inlinable
  var slot: Slot { Slot(address: bits & ~127) }
}

/// What a reader keeps between acquiring and releasing the lock, so that it need not look the record up
/// again.
@usableFromInline
struct ReadSection {
  @usableFromInline
  let token: ReadToken

  @usableFromInline
  let record: ThreadRecord

  /// One more than the value of the thread's first note after the section.
  @usableFromInline
  let firstNote: UInt

  @inlinable
  init(token: ReadToken, record: ThreadRecord, firstNote: UInt) {
    self.token = token
    self.record = record
    self.firstNote = firstNote
  }
}
