import UnfairLocks

let lock = UnfairLock()
precondition(lock.withLock { 1 } == 1)
precondition(lock.withLockIfAvailable { 2 } == 2)
let timed = try lock.withLock(timeout: .milliseconds(1)) { 3 }
precondition(timed == 3)
