import ReadWriteLocks

// A client of the product ReadWriteLocks alone: it shows that the product compiles and loads by itself.

/// Uses the operations that every read/write lock has.
func use<Lock: ReadWriteLock & ~Copyable>(_ lock: borrowing Lock) -> Int {
  lock.withReadLock { 1 } + lock.withWriteLock { 2 }
}

/// Uses the additional operations of a lock with timeouts.
func useTimed<Lock: TimedReadWriteLock & ~Copyable>(_ lock: borrowing Lock) -> Int? {
  guard let read = lock.withReadLock(timeout: .milliseconds(1), { 1 }),
    let written = lock.withWriteLock(timeout: .milliseconds(1), { 2 }),
    let readAtOnce = lock.withReadLockIfAvailable({ 3 }),
    let writtenAtOnce = lock.withWriteLockIfAvailable({ 4 })
  else { return nil }
  return read + written + readAtOnce + writtenAtOnce
}

let compact = CompactReadWriteLock()
let spin = SpinReadWriteLock()
let posix = PosixReadWriteLock()
let dispatch = DispatchReadWriteLock(label: "probe")
precondition(use(compact) == 3 && use(spin) == 3 && use(posix) == 3 && use(dispatch) == 3)
precondition(useTimed(compact) == 10 && useTimed(spin) == 10 && useTimed(posix) == 10)
print("ReadWriteLocks: a lock of \(MemoryLayout<CompactReadWriteLock>.size) bytes")
