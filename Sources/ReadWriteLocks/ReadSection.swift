public import InterlockCore

/// Says how a reader acquired a biased lock, so that the reader can release the lock in the same way.
///
/// An *entry* is an element of the thread's `ThreadRecord`, and can hold the key of a lock.
@usableFromInline
@frozen
struct ReadPath: Equatable, Sendable {
  /// The address of the reader's slot, flags, and the index of the entry that holds the lock's key.
  ///
  /// Bits 0 to 2 are the index. Bits 3 to 5 are the flags `counted`, `unlisted` and `entered`. The address is
  /// a multiple of 128; it is 0 if the reader has no slot.
  @usableFromInline
  let bits: UInt

  @_alwaysEmitIntoClient
  @_transparent
  init(bits: UInt) {
    self.bits = bits
  }

  @_alwaysEmitIntoClient
  @_transparent
  static var counted: UInt { 1 << 3 }
  private static var unlisted: UInt { 1 << 4 }
  private static var entered: UInt { 1 << 5 }

  /// The path of a reader that published the lock's key in `slot`.
  ///
  /// The reader's `ThreadRecord` has the lock's key at `index`.
  @_alwaysEmitIntoClient
  @_transparent
  static func inSlot(_ slot: Slot, entry index: Int) -> ReadPath {
    ReadPath(bits: slot.address | UInt(index))
  }

  /// The path of a reader that is counted in the lock's word.
  ///
  /// The reader's `ThreadRecord` has the lock's key at `index`.
  @_alwaysEmitIntoClient
  @_transparent
  static func counted(entry index: Int) -> ReadPath { ReadPath(bits: counted | UInt(index)) }

  /// The path of a reader that is counted in the lock's word, and whose `ThreadRecord` has the lock's key in
  /// its list of further locks, because it had no vacant entry.
  static var countedWithoutEntry: ReadPath { ReadPath(bits: counted | unlisted) }

  /// The path of a nested reader: its thread is already in a read section of the lock.
  static var nested: ReadPath { ReadPath(bits: entered) }

  // MARK: Parts

  /// Whether the reader is in a slot, and the first entry of its `ThreadRecord` holds the lock's key.
  ///
  /// Only a read section that is not nested in another one has the first entry.
  @_alwaysEmitIntoClient
  @_transparent
  var isInSlotWithFirstEntry: Bool { bits & 127 == 0 }

  var isNested: Bool { bits == Self.entered }
  var isCounted: Bool { bits & Self.counted != 0 }
  var entry: Int? { bits & Self.unlisted == 0 ? Int(bits & 7) : nil }

  @_alwaysEmitIntoClient
  @_transparent
  var slot: Slot { Slot(address: bits & ~127) }
}

/// The data that a reader keeps while it holds a biased lock, so that it need not look up its thread record
/// again.
@_documentation(visibility: internal)
@frozen
public struct ReadSection {
  @usableFromInline
  let path: ReadPath

  @usableFromInline
  let record: ThreadRecord

  /// The number of reads until the thread's next sample (see `ThreadRecord.readsPerSample`).
  ///
  /// The first entry of the `ThreadRecord` holds this countdown while that entry is vacant. An outermost read
  /// section occupies the entry. When the section ends, the entry gets this value minus 1.
  @usableFromInline
  let firstEntry: UInt

  @_alwaysEmitIntoClient
  @_transparent
  init(path: ReadPath, record: ThreadRecord, firstEntry: UInt) {
    self.path = path
    self.record = record
    self.firstEntry = firstEntry
  }
}
