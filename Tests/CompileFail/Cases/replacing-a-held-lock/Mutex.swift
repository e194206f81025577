import Synchronization

func work() {
  var lock = Mutex(())
  // error: variable of type 'Mutex<()>' must be declared with a 'let'
  lock.withLock { _ in
    lock = Mutex(())
  }
}
