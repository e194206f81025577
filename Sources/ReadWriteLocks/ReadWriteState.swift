public import PlatformLocks

/// The state word of `CompactReadWriteLock` and `SpinReadWriteLock`.
///
///     bits 0…26   how many readers are in; with `writeLocked`, the writer's `ThreadIdentity`
///     bit  27     writersFirst: a writer that has waited for too long has the next turn (compact lock only)
///     bit  28     readersFirst: readers that have waited for too long have the next turn
///     bit  29     readersWaiting: readers sleep on the word, or are about to (compact lock only)
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

  /// At least one reader is in.
  var isReadLocked: Bool { !isWriteLocked && has(Self.countMask) }

  /// `thread` is the writer.
  func isWriteLocked(by thread: UInt32) -> Bool {
    isWriteLocked && bits & Self.countMask == thread
  }

  /// Nobody writes, waits or has precedence: a reader that just came may enter.
  @inlinable
  var admitsNewReader: Bool { bits < Self.countMask }

  /// As many readers are in as can be counted.
  var isFullOfReaders: Bool { !isWriteLocked && bits & Self.countMask == Self.countMask }

  /// A writer may enter.
  var admitsWriter: Bool { isUnlocked && !has(Self.readersFirst) }

  /// A writer is in, or somebody waits.
  @inlinable
  var hasFlags: Bool { bits > Self.countMask }
}

extension LockWord {
  /// The word as the state of a read/write lock, with no ordering.
  @inlinable
  @inline(__always)
  borrowing func state() -> ReadWriteState { ReadWriteState(loadRelaxed()) }

  /// Enters a section: moves from `state` to `desired` with acquire ordering.
  @inlinable
  @inline(__always)
  borrowing func enter(from state: ReadWriteState, to desired: ReadWriteState) -> Bool {
    compareExchangeAcquiring(expected: state.bits, desired: desired.bits).exchanged
  }

  /// Changes flags: moves from `state` to `desired` with no ordering.
  borrowing func change(from state: ReadWriteState, to desired: ReadWriteState) -> Bool {
    state == desired || compareExchangeRelaxed(expected: state.bits, desired: desired.bits).exchanged
  }
}
