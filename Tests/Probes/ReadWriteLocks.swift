import ReadWriteLocks

/// Uses the operations that every read/write lock has.
func use<Lock: ReadWriteLock & ~Copyable>(_ lock: borrowing Lock) -> Int {
  lock.withReadLock { 1 } + lock.withWriteLock { 2 }
}

let compact = CompactReadWriteLock()
let dispatch = DispatchReadWriteLock(label: "probe")
precondition(use(compact) == 3 && use(dispatch) == 3)
let timed = try compact.withWriteLock(timeout: .milliseconds(1)) { 1 }
precondition(timed == 1)
