internal import LockSupport

// The slow paths that inlined fast paths call through `callOutOfLine`.

// MARK: CompactReadWriteCore

@c
@usableFromInline
func interlock_compact_read(_ key: UInt, _ primitive: UInt) -> UInt {
  borrow(CompactReadWriteCore.self, at: key) { core in
    core.lockForReadingSlow(until: .never, for: Primitive(word: primitive)) ? 1 : 0
  }
}

@c
@usableFromInline
func interlock_compact_write(_ key: UInt, _ primitive: UInt) -> UInt {
  borrow(CompactReadWriteCore.self, at: key) { core in
    core.lockForWritingSlow(until: .never, for: Primitive(word: primitive)) ? 1 : 0
  }
}

@c
@usableFromInline
func interlock_compact_left_read(_ key: UInt, _ state: UInt) -> UInt {
  borrow(CompactReadWriteCore.self, at: key) {
    $0.passOn(ReadWriteState(UInt32(state)), afterWriting: false)
  }
  return 0
}

@c
@usableFromInline
func interlock_compact_left_write(_ key: UInt, _ state: UInt) -> UInt {
  borrow(CompactReadWriteCore.self, at: key) {
    $0.passOn(ReadWriteState(UInt32(state)), afterWriting: true)
  }
  return 0
}

// MARK: BiasedReadWriteCore

@c
@usableFromInline
func interlock_biased_read(_ key: UInt, _: UInt) -> UInt {
  borrow(BiasedReadWriteCore.self, at: key) { $0.lockForReadingSlow(until: .never)!.bits }
}

@c
@usableFromInline
func interlock_biased_read_counted(_ key: UInt, _: UInt) -> UInt {
  borrow(BiasedReadWriteCore.self, at: key) { $0.lockForReadingCounted().bits }
}

@c
@usableFromInline
func interlock_biased_unlock(_ key: UInt, _ token: UInt) -> UInt {
  borrow(BiasedReadWriteCore.self, at: key) { $0.unlockAfterReadingSlow(ReadToken(bits: token)) }
  return 0
}

@c
@usableFromInline
func interlock_biased_left_slot(_ key: UInt, _: UInt) -> UInt {
  borrow(BiasedReadWriteCore.self, at: key) { $0.wakeWriterWaitingForSlots() }
  return 0
}

@c
@usableFromInline
func interlock_biased_check_not_reading(_ key: UInt, _: UInt) -> UInt {
  borrow(BiasedReadWriteCore.self, at: key) { $0.checkNotReading() }
  return 0
}

@c
@usableFromInline
func interlock_biased_write(_ key: UInt, _: UInt) -> UInt {
  borrow(BiasedReadWriteCore.self, at: key) { $0.lockForWritingSlow(until: .never) ? 1 : 0 }
}
