public import InterlockCore

/// The state word of `CompactReadWriteLock`, `SpinReadWriteLock` and `BiasedReadWriteLock`.
///
///     bits 0…24   the number of readers; with `writeLocked`, the writer's `ThreadIdentity`
///     bit  25     biased: readers may use slots instead of being counted (biased lock only)
///     bit  26     reserved: only the served thread acquires next (`ReservableLock`)
///     bit  27     writersFirst: a writer that waited for too long acquires next (not in the spin lock)
///     bit  28     readersFirst: readers that waited for too long acquire next
///     bit  29     readersWaiting: readers sleep on the word, or are about to (not in the spin lock)
///     bit  30     writersWaiting: writers wait, or are about to
///     bit  31     writeLocked
@usableFromInline
@frozen
struct ReadWriteState: Equatable {
  @usableFromInline
  var bits: UInt32

  @_alwaysEmitIntoClient
  @_transparent
  init(_ bits: UInt32) {
    self.bits = bits
  }

  // MARK: Bits

  @_alwaysEmitIntoClient
  @_transparent
  static var countMask: UInt32 { ThreadIdentity.mask }
  @_alwaysEmitIntoClient
  @_transparent
  static var biased: UInt32 { 1 << 25 }
  static var reserved: UInt32 { ReservableLock.reserved }
  static var writersFirst: UInt32 { 1 << 27 }
  static var readersFirst: UInt32 { 1 << 28 }
  static var readersWaiting: UInt32 { 1 << 29 }
  static var writersWaiting: UInt32 { 1 << 30 }
  @_alwaysEmitIntoClient
  @_transparent
  static var writeLocked: UInt32 { 1 << 31 }

  // MARK: Predicates

  @_alwaysEmitIntoClient
  func has(_ flags: UInt32) -> Bool { bits & flags != 0 }

  /// The state without `flags`.
  func without(_ flags: UInt32) -> ReadWriteState { ReadWriteState(bits & ~flags) }

  /// The state with `flags`.
  func with(_ flags: UInt32) -> ReadWriteState { ReadWriteState(bits | flags) }

  /// Whether no writer and no counted reader holds the lock.
  ///
  /// The word does not show readers in slots.
  @_alwaysEmitIntoClient
  @_transparent
  var isUnlocked: Bool { bits & (Self.writeLocked | Self.countMask) == 0 }

  @_alwaysEmitIntoClient
  var isWriteLocked: Bool { has(Self.writeLocked) }

  /// Whether the lock is biased: readers may use slots while no writer holds the lock and no thread waits.
  var isBiased: Bool { has(Self.biased) }

  /// Whether at least one counted reader holds the lock.
  ///
  /// The word does not show readers in slots.
  @_alwaysEmitIntoClient
  var isReadLocked: Bool { !isWriteLocked && has(Self.countMask) }

  /// Whether `thread` is the writer.
  @_alwaysEmitIntoClient
  func isWriteLocked(by thread: UInt32) -> Bool {
    isWriteLocked && bits & Self.countMask == thread
  }

  /// Whether the lock is not biased, and a reader that just arrived may acquire it as a counted reader.
  ///
  /// It is `true` if `biased` and all flags are clear and the count of readers is below its maximum.
  @_alwaysEmitIntoClient
  @_transparent
  var admitsNewReaderUnbiased: Bool { bits < Self.countMask }

  /// Whether a reader that just arrived may acquire the lock as a counted reader.
  ///
  /// It is `true` if all flags except `biased` are clear and the count of readers is below its maximum.
  var admitsNewReader: Bool { bits & ~Self.biased < Self.countMask }

  /// Whether a reader may use a slot: no flag is set, and the lock is biased.
  @_alwaysEmitIntoClient
  @_transparent
  var admitsReaderInSlot: Bool { bits & ~Self.countMask == Self.biased }

  /// Whether the count of readers has its greatest value, so that no further reader can be counted.
  var isFullOfReaders: Bool { !isWriteLocked && bits & Self.countMask == Self.countMask }

  /// Whether a writer may acquire the lock.
  ///
  /// The word does not show readers in slots. A writer of a biased lock must wait for them afterwards.
  var admitsWriter: Bool { isUnlocked && !has(Self.readersFirst | Self.reserved) }

  /// The same for a thread for which the lock may be reserved.
  func admitsWriter(isServed: Bool) -> Bool { admitsWriter || isServed && isUnlocked && has(Self.reserved) }

  /// Whether a flag is set: a writer holds the lock, it is reserved, or threads wait.
  @_alwaysEmitIntoClient
  @_transparent
  var hasFlags: Bool { bits > Self.biased | Self.countMask }
}

extension LockWord {
  /// The word as the state of a read/write lock, loaded with relaxed ordering.
  @_alwaysEmitIntoClient
  @_transparent
  borrowing func state() -> ReadWriteState { ReadWriteState(loadRelaxed()) }

  /// The word as the state of a read/write lock, loaded with sequential consistency.
  ///
  /// A reader must use this load after it has filled its slot. In the total order of sequentially consistent
  /// operations, its store to the slot comes before this load.
  @_alwaysEmitIntoClient
  @_transparent
  borrowing func stateSequentiallyConsistent() -> ReadWriteState {
    ReadWriteState(loadSequentiallyConsistent())
  }

  /// Acquires the lock by a compare-exchange from `state` to `desired`, with acquire ordering.
  ///
  /// Returns whether it succeeded; it fails only if the word differs from `state`.
  @_alwaysEmitIntoClient
  @_transparent
  borrowing func enter(from state: ReadWriteState, to desired: ReadWriteState) -> Bool {
    compareExchangeAcquiring(expected: state.bits, desired: desired.bits).exchanged
  }

  /// Acquires the lock for writing by a sequentially consistent compare-exchange from `state` to `desired`.
  ///
  /// Returns whether it succeeded; it fails only if the word differs from `state`.
  ///
  /// This is for a lock whose readers may be in slots. In the total order of sequentially consistent
  /// operations, the writer's scan of the slots comes after this step.
  borrowing func enterForWriting(from state: ReadWriteState, to desired: ReadWriteState) -> Bool {
    compareExchangeSequentiallyConsistent(expected: state.bits, desired: desired.bits).exchanged
  }

  /// Changes flags by a relaxed compare-exchange from `state` to `desired`.
  ///
  /// Returns whether it succeeded. If `desired` equals `state`, it returns `true` without an access to the
  /// word.
  borrowing func change(from state: ReadWriteState, to desired: ReadWriteState) -> Bool {
    state == desired || compareExchangeRelaxed(expected: state.bits, desired: desired.bits).exchanged
  }
}
