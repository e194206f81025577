internal import InterlockCore

// The slow paths that inlined fast paths call through `callOutOfLine`.

// MARK: BiasedReadWriteLock

@c
@usableFromInline
func interlock_biased_read(_ key: UInt, _: UInt) -> UInt {
  borrow(BiasedReadWriteLock.self, at: key) { lock in
    lock.core.lockForReadingSlow(until: .never, for: lock.primitive)!.bits
  }
}

@c
@usableFromInline
func interlock_biased_read_counted(_ key: UInt, _: UInt) -> UInt {
  borrow(BiasedReadWriteLock.self, at: key) { $0.core.lockForReadingCounted(for: $0.primitive).bits }
}

@c
@usableFromInline
func interlock_biased_unlock(_ key: UInt, _ token: UInt) -> UInt {
  borrow(BiasedReadWriteLock.self, at: key) { $0.core.unlockAfterReadingSlow(ReadPath(bits: token)) }
  return 0
}

@c
@usableFromInline
func interlock_biased_left_slot(_ key: UInt, _: UInt) -> UInt {
  borrow(BiasedReadWriteLock.self, at: key) { $0.core.wakeWriterWaitingForSlots() }
  return 0
}

@c
@usableFromInline
func interlock_biased_check_not_reading(_ key: UInt, _: UInt) -> UInt {
  borrow(BiasedReadWriteLock.self, at: key) { $0.core.checkNotReading(for: $0.primitive) }
  return 0
}

@c
@usableFromInline
func interlock_biased_write(_ key: UInt, _: UInt) -> UInt {
  borrow(BiasedReadWriteLock.self, at: key) { lock in
    lock.core.lockForWritingSlow(until: .never, for: lock.primitive) ? 1 : 0
  }
}
