public import PlatformLocks

/// The state word of `CompactReadWriteLock`, `SpinReadWriteLock` and `BiasedReadWriteLock`.
///
///     bits 0…25   how many readers are in; with `writeLocked`, the writer's `ThreadIdentity`
///     bit  26     biased: readers may enter through slots instead of being counted (biased lock only)
///     bit  27     writersFirst: a writer that has waited for too long has the next turn (not in the spin lock)
///     bit  28     readersFirst: readers that have waited for too long have the next turn
///     bit  29     readersWaiting: readers sleep on the word, or are about to (not in the spin lock)
///     bit  30     writersWaiting: writers wait, or are about to
///     bit  31     writeLocked
@usableFromInline
struct ReadWriteState: Equatable {
  @usableFromInline
  var bits: UInt32

  @inlinable
  init(_ bits: UInt32) {
    self.bits = bits
  }

  // MARK: Bits

  @inlinable
  static var countMask: UInt32 { ThreadIdentity.mask }
  @inlinable
  static var biased: UInt32 { 1 << 26 }
  static var writersFirst: UInt32 { 1 << 27 }
  static var readersFirst: UInt32 { 1 << 28 }
  static var readersWaiting: UInt32 { 1 << 29 }
  static var writersWaiting: UInt32 { 1 << 30 }
  @inlinable
  static var writeLocked: UInt32 { 1 << 31 }

  // MARK: Predicates

  func has(_ flags: UInt32) -> Bool { bits & flags != 0 }

  /// The state without `flags`.
  func without(_ flags: UInt32) -> ReadWriteState { ReadWriteState(bits & ~flags) }

  /// The state with `flags`.
  func with(_ flags: UInt32) -> ReadWriteState { ReadWriteState(bits | flags) }

  /// Neither a reader nor a writer is in.
  @inlinable
  var isUnlocked: Bool { bits & (Self.writeLocked | Self.countMask) == 0 }

  var isWriteLocked: Bool { has(Self.writeLocked) }

  /// Readers may enter through slots, when no flag is set.
  var isBiased: Bool { has(Self.biased) }

  /// At least one reader is in.
  var isReadLocked: Bool { !isWriteLocked && has(Self.countMask) }

  /// `thread` is the writer.
  func isWriteLocked(by thread: UInt32) -> Bool {
    isWriteLocked && bits & Self.countMask == thread
  }

  /// Nobody writes, waits or has precedence, and the lock is not biased: what a reader hopes for that just came.
  @inlinable
  var admitsNewReaderUnbiased: Bool { bits < Self.countMask }

  /// Nobody writes, waits or has precedence: a reader that just came may enter.
  var admitsNewReader: Bool { bits & ~Self.biased < Self.countMask }

  /// Nobody writes, waits or has precedence, and the lock is biased: a reader may enter through a slot.
  @inlinable
  var admitsReaderInSlot: Bool { bits & ~Self.countMask == Self.biased }

  /// As many readers are in as can be counted.
  var isFullOfReaders: Bool { !isWriteLocked && bits & Self.countMask == Self.countMask }

  /// A writer may enter.
  var admitsWriter: Bool { isUnlocked && !has(Self.readersFirst) }

  /// A writer is in, or somebody waits.
  @inlinable
  var hasFlags: Bool { bits > Self.biased | Self.countMask }
}

extension LockWord {
  /// The word as the state of a read/write lock, with no ordering.
  @inlinable
  @inline(__always)
  borrowing func state() -> ReadWriteState { ReadWriteState(loadRelaxed()) }

  /// The same for a reader in a slot, whose store to the slot comes before this load in the one order of all sequentially
  /// consistent operations.
  @inlinable
  @inline(__always)
  borrowing func stateSequentiallyConsistent() -> ReadWriteState {
    ReadWriteState(loadSequentiallyConsistent())
  }

  /// Enters a section: moves from `state` to `desired` with acquire ordering.
  @inlinable
  @inline(__always)
  borrowing func enter(from state: ReadWriteState, to desired: ReadWriteState) -> Bool {
    compareExchangeAcquiring(expected: state.bits, desired: desired.bits).exchanged
  }

  /// Enters a write section that may have readers in slots: the scan of the slots comes after this step in the one order of
  /// all sequentially consistent operations.
  borrowing func enterForWriting(from state: ReadWriteState, to desired: ReadWriteState) -> Bool {
    compareExchangeSequentiallyConsistent(expected: state.bits, desired: desired.bits).exchanged
  }

  /// Changes flags: moves from `state` to `desired` with no ordering.
  borrowing func change(from state: ReadWriteState, to desired: ReadWriteState) -> Bool {
    state == desired || compareExchangeRelaxed(expected: state.bits, desired: desired.bits).exchanged
  }
}
