import UnfairLocks

func work() {
  var lock = UnfairLock()
  lock.withLock {}
  lock = UnfairLock()
}
