import Protectors

// The product exports the lock types, so a client can name them without another import.
let settings = LockProtector([1, 2], lock: CompactReadWriteLock())
precondition(settings.withReadLock(\.count) == 2)
let log = ExclusiveProtector([""])
log.withLock { $0.append("moved 30") }
let balances = Protector(["Ann": 100])

/// Waits with a predicate that holds, and with one that does not.
func wait() {
  do {
    try balances.withReadLock(waitingUntil: { $0.count == 1 }, timeout: .seconds(1)) { _ in }
    try balances.withReadLock(waitingUntil: { $0.isEmpty }, timeout: .milliseconds(1)) { _ in }
    preconditionFailure("a predicate that does not hold")
  } catch {
    precondition((error as? TimeoutError)?.isThrown(by: balances) == true)
  }
}

wait()
