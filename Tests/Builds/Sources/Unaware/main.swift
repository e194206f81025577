import UnfairLocks

// With the trait, the detector watches a program that does not import it.
let first = UnfairLock()
let second = UnfairLock()
first.withLock { second.withLock {} }
second.withLock { first.withLock {} }
