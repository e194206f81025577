import UnfairLocks

func reset(_ lock: borrowing UnfairLock) {
  lock.withLock {}
}
